import type { ClientErrorCode } from "../../src/client/client-error.ts";
import type { ErrorCode } from "../../src/protocol.ts";

export const OK = 0;
export const USAGE = 2;

const TOOL_FAILED = 1;
const CALL_WRONG = 3;
const NOT_FINISHED = 4;
const REFUSED = 5;
const NO_ANSWER = 6;

/** What each exit code says, for the help. */
export const EXIT_CODES: ReadonlyMap<number, string> = new Map([
  [OK, "done"],
  [
    TOOL_FAILED,
    "the tool failed: it threw, can't be loaded, or returned what its output schema refuses",
  ],
  [USAGE, "the command line can't be followed"],
  [CALL_WRONG, "the call is wrong: no such tool or version, or an input that its schema refuses"],
  [NOT_FINISHED, "the call's deadline passed, or it was cancelled"],
  [
    REFUSED,
    "the service refused the request; with 503, until the deadline left no time to try again",
  ],
  [NO_ANSWER, "nothing answered, or something that is no pack service"],
]);

const EXIT_CODE_OF: Readonly<Record<ErrorCode | ClientErrorCode, number>> = {
  "malformed-message": CALL_WRONG,
  "unknown-protocol-version": CALL_WRONG,
  "unexpected-message-kind": CALL_WRONG,
  "tool-not-in-pack": CALL_WRONG,
  "check-not-in-pack": CALL_WRONG,
  "tool-version-mismatch": CALL_WRONG,
  "input-validation-failed": CALL_WRONG,
  "output-validation-failed": TOOL_FAILED,
  "handler-import-failed": TOOL_FAILED,
  "handler-shape-invalid": TOOL_FAILED,
  "check-shape-invalid": TOOL_FAILED,
  "handler-throw": TOOL_FAILED,
  "deadline-exceeded": NOT_FINISHED,
  cancelled: NOT_FINISHED,
  unauthorized: REFUSED,
  "not-found": REFUSED,
  "method-not-allowed": REFUSED,
  "body-too-large": REFUSED,
  "unsupported-media-type": REFUSED,
  "service-failed": REFUSED,
  unavailable: REFUSED,
  "network-failed": NO_ANSWER,
  "timed-out": NO_ANSWER,
  "unexpected-answer": NO_ANSWER,
};

export function exitCodeOf(code: ErrorCode | ClientErrorCode): number {
  return EXIT_CODE_OF[code];
}

export function exitCodesHelp(): string {
  const lines = [...EXIT_CODES].map(([code, meaning]) => `  ${code}  ${meaning}`);
  return `Exit codes:\n${lines.join("\n")}\n`;
}
