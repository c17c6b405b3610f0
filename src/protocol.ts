/** Version of the pack protocol that every message carries as `v`. */
export const PROTOCOL_VERSION = 2;

/** Largest request body accepted, in bytes (contract §1, step 6): 10 MiB. */
export const MAX_BODY_BYTES = 10_485_760;

/** Deadline of a call whose `kindgi-timeout-ms` is absent or unusable, in milliseconds (contract §1). */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Longest deadline a timer can hold, in milliseconds; a longer one is clamped to it (contract §1). */
export const MAX_TIMEOUT_MS = 2_147_483_647;

/** Calls that may run at the same time before a call is refused as overloaded (contract §6). */
export const DEFAULT_MAX_CONCURRENCY = 32;

/** How long a drain lets calls in flight finish before it cancels them, in milliseconds (contract §7). */
export const DRAIN_GRACE_MS = 8_000;

/** Seconds a refused caller is asked to wait, sent as `Retry-After` with every 503 (contract §1). */
export const RETRY_AFTER_SECONDS = 1;

/** Most issues one answer lists (contract §2). */
export const MAX_ISSUES = 100;

/** Longest `cause.stack` sent, in UTF-16 code units (contract §2). */
export const MAX_STACK_LENGTH = 65_536;

/** Header names of the protocol, lower-cased. */
export const HEADERS = {
  token: "kindgi-pack-token",
  timeout: "kindgi-timeout-ms",
  runId: "kindgi-run-id",
  requestId: "kindgi-request-id",
  protocol: "kindgi-protocol",
  traceparent: "traceparent",
  duration: "kindgi-duration-ms",
  artifactVersion: "kindgi-artifact-version",
} as const;

/** Why running pack code didn't produce a result (contract §2). */
export const ERROR_CODES = [
  "malformed-message",
  "unknown-protocol-version",
  "unexpected-message-kind",
  "tool-not-in-pack",
  "check-not-in-pack",
  "tool-version-mismatch",
  "input-validation-failed",
  "output-validation-failed",
  "handler-import-failed",
  "handler-shape-invalid",
  "check-shape-invalid",
  "handler-throw",
  "deadline-exceeded",
  "cancelled",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** How a call ended: `ok`, or the code of the error it was answered with. */
export type Outcome = "ok" | ErrorCode;

/** The two kinds of pack code a call can run. */
export type TargetKind = "tool" | "check";

/** Per-call context as it travels in a message. Members the protocol doesn't name are passed on. */
export interface CallContext {
  tenantId: string;
  runId: string;
  requestId?: string;
  env?: Record<string, unknown>;
  secrets?: Record<string, unknown>;
  config?: Record<string, unknown>;
  [member: string]: unknown;
}

/** Asks the service to run a tool. */
export interface ToolInvoke {
  v: typeof PROTOCOL_VERSION;
  kind: "invoke";
  tool: { id: string; version?: string };
  input: unknown;
  ctx: CallContext;
}

/** Asks the service to run a guardrail's check over a run trace. */
export interface CheckInvoke {
  v: typeof PROTOCOL_VERSION;
  kind: "check-invoke";
  check: { id: string };
  config: Record<string, unknown>;
  trace: unknown;
}

export type RequestMessage = ToolInvoke | CheckInvoke;

/** One validation finding, Ajv-shaped. One from a module's own model has no `keyword`. */
export interface Issue {
  /** JSON Pointer to the failing value, `""` for the root. */
  instancePath: string;
  /** URI fragment of the failing schema keyword. */
  schemaPath?: string;
  keyword?: string;
  params?: Record<string, unknown>;
  message: string;
}

export interface ToolResultMessage {
  v: typeof PROTOCOL_VERSION;
  kind: "result";
  output: unknown;
}

/** What a check returns; members beyond these are passed on. */
export interface CheckResult {
  passed: boolean;
  reason?: string;
  judgeResponse?: string;
  attributes?: Record<string, unknown>;
  [member: string]: unknown;
}

export interface CheckResultMessage {
  v: typeof PROTOCOL_VERSION;
  kind: "check-result";
  result: CheckResult;
}

export interface ErrorMessage {
  v: typeof PROTOCOL_VERSION;
  kind: "error";
  code: ErrorCode;
  message: string;
  toolId?: string;
  checkId?: string;
  /** The serialized throw, present with `handler-throw` and `handler-import-failed`. */
  cause?: unknown;
  /** Present with `input-validation-failed` and `output-validation-failed`. */
  issues?: Issue[];
}

export type ResponseMessage = ToolResultMessage | CheckResultMessage | ErrorMessage;

/** The answer to `GET /v1/info`. */
export interface Info {
  protocol: typeof PROTOCOL_VERSION;
  packId: string;
  packVersion: string;
  artifactVersion: string;
  tools: { id: string; version?: string }[];
  checks: string[];
  /** Required environment names this process lacks (unset or empty), sorted. */
  missingEnv: string[];
}

/** Body of every non-2xx answer. A refusal says that no pack code ran. */
export interface Refusal {
  error: string;
  [member: string]: unknown;
}
