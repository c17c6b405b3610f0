import { Failure } from "./failure.ts";
import type { Subject } from "./failure.ts";
import { BareObject, encodeJson, hasOwn, isObject, parseJson, stringifyJson } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";
import type { CallContext, TargetKind } from "./protocol.ts";

export interface ToolCall {
  target: "tool";
  id: string;
  version: string | undefined;
  input: unknown;
  ctx: CallContext;
}

export interface CheckCall {
  target: "check";
  id: string;
  config: Record<string, unknown>;
  trace: unknown;
}

export type Call = ToolCall | CheckCall;

/** Reads a request message, in the order of contract §2. No failure quotes what the caller sent. */
export function parseMessage(text: string): Call | Failure {
  const message = parseObject(text);
  if (message instanceof Failure) return message;
  if (message.v !== PROTOCOL_VERSION) {
    const problem = `v must be the number ${PROTOCOL_VERSION}, the pack protocol's version here`;
    return new Failure("unknown-protocol-version", problem);
  }
  if (message.kind === "invoke") return toolCall(message);
  if (message.kind === "check-invoke") return checkCall(message);
  return new Failure("unexpected-message-kind", 'kind must be "invoke" or "check-invoke"');
}

const NOT_JSON = "the body is not valid JSON";

function parseObject(text: string): JsonObject | Failure {
  if (text === "") return malformed("the body is empty");
  // Told without parsing: millions of brackets take a runtime's parser seconds, and a gigabyte, to refuse.
  const trimmed = text.trim();
  if (trimmed[0] !== "{") return malformed("the message must be a JSON object");
  if (!trimmed.endsWith("}")) return malformed(NOT_JSON);
  try {
    return parseJson(text) as JsonObject;
  } catch {
    // V8's own words quote the text, which may hold a secret.
    return malformed(NOT_JSON);
  }
}

function toolCall(message: JsonObject): ToolCall | Failure {
  const { tool, input, ctx } = message;
  if (!isObject(tool) || !isId(tool.id)) return malformed("tool.id must be a non-empty string");
  const subject: Subject = { target: "tool", id: tool.id };
  const { version } = tool;
  if (version !== undefined && typeof version !== "string") {
    return malformed("tool.version must be a string when it is present", subject);
  }
  if (input === undefined) return malformed("input is missing", subject);
  if (!isCallContext(ctx)) {
    return malformed("ctx must be an object with the strings tenantId and runId", subject);
  }
  return { target: "tool", id: tool.id, version, input, ctx };
}

function checkCall(message: JsonObject): CheckCall | Failure {
  const { check, config, trace } = message;
  if (!isObject(check) || !isId(check.id)) return malformed("check.id must be a non-empty string");
  const subject: Subject = { target: "check", id: check.id };
  if (!isObject(config)) return malformed("config must be an object", subject);
  if (trace === undefined) return malformed("trace is missing", subject);
  return { target: "check", id: check.id, config, trace };
}

function malformed(message: string, subject?: Subject): Failure {
  return new Failure("malformed-message", message, { subject });
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isCallContext(value: unknown): value is CallContext {
  return isObject(value) && typeof value.tenantId === "string" && typeof value.runId === "string";
}

const RESULTS = {
  tool: { kind: "result", member: "output" },
  check: { kind: "check-result", member: "result" },
} as const;

/**
 * The response message of a call that has a result. What no JSON text shows, such as a function, is left out.
 * @throws what `JSON.stringify` and the result's own code throw
 */
export function resultMessage(target: TargetKind, result: unknown): string {
  const { kind, member } = RESULTS[target];
  const message = new BareObject() as JsonObject;
  message.v = PROTOCOL_VERSION;
  message.kind = kind;
  message[member] = result;
  // The whole at once: a text put around the result's own would copy it, on some runtimes twice.
  return stringifyJson(message);
}

/** The result that a {@link resultMessage} shows; `undefined` where it was left out. */
export function shownResult(target: TargetKind, message: string): unknown {
  const { member } = RESULTS[target];
  const shown = parseJson(message) as JsonObject;
  return hasOwn(shown, member) ? shown[member] : undefined;
}

/** The response message of a call that has none. */
export function errorMessage(failure: Failure, subject: Subject | undefined): string {
  const { code, message, details } = failure;
  const { cause, issues } = details;
  return encodeJson({
    v: PROTOCOL_VERSION,
    kind: "error",
    code,
    message,
    toolId: subject?.target === "tool" ? subject.id : undefined,
    checkId: subject?.target === "check" ? subject.id : undefined,
    cause,
    issues,
  });
}
