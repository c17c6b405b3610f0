import assert from "node:assert/strict";
import { decodeBody } from "../../../src/body.ts";
import { Failure } from "../../../src/failure.ts";
import { errorMessage, parseMessage, resultMessage } from "../../../src/message.ts";
import { responseProblems } from "../../contract/protocol-schema.ts";
import type { FuzzTarget } from "../target.ts";

/** Every message of a failure. They are constants: none quotes what came. */
const MESSAGES = new Set([
  "the body is empty",
  "the body is not valid JSON",
  "the message must be a JSON object",
  "v must be the number 2, the pack protocol's version here",
  'kind must be "invoke" or "check-invoke"',
  "tool.id must be a non-empty string",
  "tool.version must be a string when it is present",
  "input is missing",
  "ctx must be an object with the strings tenantId and runId",
  "check.id must be a non-empty string",
  "config must be an object",
  "trace is missing",
]);

/** A body becomes a call, or a failure of the code that comes first in the contract's order, and never throws. */
export const messageTarget: FuzzTarget = {
  name: "message",
  dictionary: [
    ...[
      "v",
      "kind",
      "tool",
      "check",
      "input",
      "ctx",
      "config",
      "trace",
      "id",
      "version",
      "tenantId",
    ],
    ...["runId", "secrets", "env", "invoke", "check-invoke", "__proto__", "constructor", "toJSON"],
    ...['"__proto__":', '{"v":2,', "1e999", "-0", "\\ud800", "\ufeff", "\u2028", "[[[[", "]]]]"],
  ],
  check(input) {
    const text = decodeBody(input);
    if (text === undefined) return;
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    const parsed = parseMessage(text);
    assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before);
    const value = parse(text);
    const code = expectedCode(value);
    if (parsed instanceof Failure) {
      assert.equal(parsed.code, code);
      assert.ok(MESSAGES.has(parsed.message), parsed.message);
      assert.deepEqual(
        responseProblems(JSON.parse(errorMessage(parsed, parsed.details.subject))),
        [],
      );
      return;
    }
    assert.equal(code, undefined);
    const { target, id } = parsed;
    const sent = value as Record<string, any>;
    assert.equal(id, sent[target].id);
    const given = target === "tool" ? parsed.input : parsed.trace;
    assert.deepEqual(given, target === "tool" ? sent.input : sent.trace);
    if (target === "tool") {
      assert.deepEqual(parsed.ctx, sent.ctx);
      const answer = JSON.parse(resultMessage(target, given));
      assert.deepEqual(responseProblems(answer), []);
    }
    const late = new Failure("handler-throw", "it threw", { cause: given });
    assert.deepEqual(responseProblems(JSON.parse(errorMessage(late, { target, id }))), []);
  },
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const own = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
const isPlain = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isId = (value: unknown): boolean => typeof value === "string" && value.length > 0;

/** The code that the contract asks for, read off its table. */
function expectedCode(value: unknown): string | undefined {
  if (!isPlain(value)) return "malformed-message";
  if (own(value, "v") !== 2) return "unknown-protocol-version";
  const kind = own(value, "kind");
  if (kind !== "invoke" && kind !== "check-invoke") return "unexpected-message-kind";
  const tool = own(value, "tool");
  const ctx = own(value, "ctx");
  const version = own(tool, "version");
  const isWell =
    kind === "invoke"
      ? isPlain(tool) &&
        isId(own(tool, "id")) &&
        (version === undefined || typeof version === "string") &&
        own(value, "input") !== undefined &&
        isPlain(ctx) &&
        [own(ctx, "tenantId"), own(ctx, "runId")].every((id) => typeof id === "string")
      : isPlain(own(value, "check")) &&
        isId(own(own(value, "check"), "id")) &&
        isPlain(own(value, "config")) &&
        own(value, "trace") !== undefined;
  return isWell ? undefined : "malformed-message";
}
