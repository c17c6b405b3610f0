import { isArray, isObject } from "../json.ts";
import { ERROR_CODES, PROTOCOL_VERSION } from "../protocol.ts";
import type { Info, ResponseMessage, TargetKind } from "../protocol.ts";

/** What keeps a body from being what the protocol answers. */
export interface Problem {
  problem: string;
}

/** Judges the answer to a call (contract §2). */
export function readResponseMessage(body: unknown, target: TargetKind): ResponseMessage | Problem {
  if (!isObject(body)) return { problem: "its body is not an object" };
  if (body.v !== PROTOCOL_VERSION) {
    return { problem: `its v is not ${PROTOCOL_VERSION}, the version this client speaks` };
  }
  const problem =
    MESSAGES[target].get(body.kind)?.(body) ?? `its kind is none that a ${target} has`;
  return problem === "" ? (body as unknown as ResponseMessage) : { problem };
}

/** What is wrong with a message of some kind; `""` when nothing is. */
type Judge = (message: Record<string, unknown>) => string;

const MESSAGES: Readonly<Record<TargetKind, ReadonlyMap<unknown, Judge>>> = {
  tool: new Map([
    ["result", judgeToolResult],
    ["error", judgeError],
  ]),
  check: new Map([
    ["check-result", judgeCheckResult],
    ["error", judgeError],
  ]),
};

function judgeToolResult({ output }: Record<string, unknown>): string {
  return output === undefined ? "its output is missing" : "";
}

function judgeCheckResult({ result }: Record<string, unknown>): string {
  const isResult = isObject(result) && typeof result.passed === "boolean";
  return isResult ? "" : "its result has no boolean passed";
}

function judgeError({ code, message, issues }: Record<string, unknown>): string {
  if (!(ERROR_CODES as readonly unknown[]).includes(code)) {
    return `its error code is none of this protocol: ${JSON.stringify(code)}`;
  }
  if (typeof message !== "string") return "its error has no message";
  if (issues === undefined) return "";
  return isArray(issues) && issues.every(isIssue) ? "" : "its issues are no list of issues";
}

function isIssue(value: unknown): boolean {
  return isObject(value) && isText(value.instancePath) && isText(value.message);
}

/** Judges the answer to `GET /v1/info`. A service may leave `missingEnv` out when no name is missing. */
export function readInfo(body: unknown): Info | Problem {
  if (!isObject(body)) return { problem: "its body is not an object" };
  if (body.protocol !== PROTOCOL_VERSION) {
    return { problem: `its protocol is not ${PROTOCOL_VERSION}, the version this client speaks` };
  }
  const { missingEnv = [] } = body;
  const info = { ...body, missingEnv };
  const wrong = INFO_MEMBERS.find(([name, isValid]) => !isValid(info[name as keyof typeof info]));
  return wrong ? { problem: `its ${wrong[0]} is missing or wrong` } : (info as unknown as Info);
}

const INFO_MEMBERS: readonly [name: keyof Info, isValid: (value: unknown) => boolean][] = [
  ["packId", isText],
  ["packVersion", isText],
  ["artifactVersion", isText],
  ["tools", (value) => isArray(value) && value.every((tool) => isObject(tool) && isText(tool.id))],
  ["checks", isTextList],
  ["missingEnv", isTextList],
];

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextList(value: unknown): boolean {
  return isArray(value) && value.every(isText);
}
