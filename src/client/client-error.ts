import type { Refusal } from "../protocol.ts";
import type { RefusedRequest } from "../transport.ts";

/** The code of each refusal that a service sends (contract §1). */
const REFUSAL_CODES = {
  401: "unauthorized",
  404: "not-found",
  405: "method-not-allowed",
  413: "body-too-large",
  415: "unsupported-media-type",
  500: "service-failed",
  503: "unavailable",
} as const satisfies Record<RefusedRequest["status"], string>;

/** Why a request to a pack service has no answer of the protocol. */
export const CLIENT_ERROR_CODES = [
  ...Object.values(REFUSAL_CODES),
  "network-failed",
  "timed-out",
  "unexpected-answer",
] as const;

export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];

const codeByStatus: ReadonlyMap<number, ClientErrorCode> = new Map(
  Object.entries(REFUSAL_CODES).map(([status, code]) => [Number(status), code]),
);

/** The code for a refusal's status, unless services of this protocol don't refuse with it. */
export function refusalCode(status: number): ClientErrorCode | undefined {
  return codeByStatus.get(status);
}

const BRAND = Symbol.for("pack-handler.PackClientError");

interface Details {
  /** The answer's status, when there was an answer. */
  status?: number;
  /** What the service said when it refused; `missingEnv` may be in it. */
  refusal?: Refusal;
  /** How long the service asks to be left alone, in milliseconds. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A request that has no answer of the protocol: refused, lost, or answered by something else. */
export class PackClientError extends Error {
  override readonly name = "PackClientError";
  readonly [BRAND] = true;
  readonly code: ClientErrorCode;
  readonly status: number | undefined;
  readonly refusal: Refusal | undefined;
  readonly retryAfterMs: number | undefined;
  /** Whether the call certainly did not run and a later try may succeed: of `unavailable` alone. */
  readonly retryable: boolean;

  constructor(code: ClientErrorCode, message: string, details: Details = {}) {
    super(message, "cause" in details ? { cause: details.cause } : {});
    this.code = code;
    this.status = details.status;
    this.refusal = details.refusal;
    this.retryAfterMs = details.retryAfterMs;
    this.retryable = code === "unavailable";
  }
}

/** Tells a {@link PackClientError} also when it comes from another copy of this package. */
export function isPackClientError(value: unknown): value is PackClientError {
  return typeof value === "object" && value !== null && BRAND in value;
}
