import { describe, expect, test } from "vitest";
import { Failure } from "../../src/failure.ts";
import { errorMessage, parseMessage, resultMessage, shownResult } from "../../src/message.ts";

const ctx = { tenantId: "t", runId: "r" };
const invoke = { v: 2, kind: "invoke", tool: { id: "a" }, input: { x: 1 }, ctx };
const check = { v: 2, kind: "check-invoke", check: { id: "c" }, config: {}, trace: [] };

function codeOf(message: unknown): string {
  const parsed = parseMessage(typeof message === "string" ? message : JSON.stringify(message));
  return parsed instanceof Failure ? parsed.code : "ok";
}

describe("parseMessage (§2)", () => {
  test("reads a tool call and a check call", () => {
    expect(parseMessage(JSON.stringify({ ...invoke, tool: { id: "a", version: "1" } }))).toEqual({
      target: "tool",
      id: "a",
      version: "1",
      input: { x: 1 },
      ctx,
    });
    expect(parseMessage(JSON.stringify(check))).toEqual({
      target: "check",
      id: "c",
      config: {},
      trace: [],
    });
  });

  test.each([null, 0, false, ""])("takes %j for an input and a trace", (value) => {
    expect(codeOf({ ...invoke, input: value })).toBe("ok");
    expect(codeOf({ ...check, trace: value })).toBe("ok");
  });

  test.each([
    ["an empty body", ""],
    ["broken JSON", '{"v":2'],
    ["an array", []],
    ["a string", '"x"'],
    ["null", "null"],
    ["no tool", { ...invoke, tool: undefined }],
    ["an array for a tool", { ...invoke, tool: [] }],
    ["an empty tool id", { ...invoke, tool: { id: "" } }],
    ["a number for a tool id", { ...invoke, tool: { id: 1 } }],
    ["a number for a version", { ...invoke, tool: { id: "a", version: 1 } }],
    ["null for a version", { ...invoke, tool: { id: "a", version: null } }],
    ["no input", { ...invoke, input: undefined }],
    ["no ctx", { ...invoke, ctx: undefined }],
    ["null for a ctx", { ...invoke, ctx: null }],
    ["an array for a ctx", { ...invoke, ctx: [] }],
    ["no tenantId", { ...invoke, ctx: { runId: "r" } }],
    ["a number for a runId", { ...invoke, ctx: { tenantId: "t", runId: 1 } }],
    ["no check", { ...check, check: undefined }],
    ["an empty check id", { ...check, check: { id: "" } }],
    ["no config", { ...check, config: undefined }],
    ["an array for a config", { ...check, config: [] }],
    ["null for a config", { ...check, config: null }],
    ["no trace", { ...check, trace: undefined }],
  ])("refuses %s as malformed", (_, message) => {
    expect(codeOf(message)).toBe("malformed-message");
  });

  test.each([undefined, 1, 3, "2", null, [2]])("refuses the version %j", (v) => {
    expect(codeOf({ ...invoke, v })).toBe("unknown-protocol-version");
  });

  test.each([undefined, "result", "", 1, null])("refuses the kind %j", (kind) => {
    expect(codeOf({ ...invoke, kind })).toBe("unexpected-message-kind");
  });

  test("judges the version before the kind, the kind before the members", () => {
    expect(codeOf({ v: 1, kind: "nope" })).toBe("unknown-protocol-version");
    expect(codeOf({ v: 2, kind: "nope" })).toBe("unexpected-message-kind");
  });

  test("names the tool or check of a message that is malformed further on", () => {
    const tool = parseMessage(JSON.stringify({ ...invoke, ctx: 1 })) as Failure;
    expect(tool.details.subject).toEqual({ target: "tool", id: "a" });
    const guard = parseMessage(JSON.stringify({ ...check, config: 1 })) as Failure;
    expect(guard.details.subject).toEqual({ target: "check", id: "c" });
  });

  test("quotes nothing of a broken body", () => {
    const failure = parseMessage('{"password":"hunter2" oops') as Failure;
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  });

  test("keeps an own __proto__ of the input as data", () => {
    const text = JSON.stringify(invoke).replace('{"x":1}', '{"__proto__":{"admin":true}}');
    const { input } = parseMessage(text) as { input: object };
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect((input as { admin?: unknown }).admin).toBeUndefined();
    expect(Object.keys(input)).toEqual(["__proto__"]);
  });
});

describe("response messages (§2)", () => {
  test("carry a result, which can be read back", () => {
    const tool = resultMessage("tool", { a: 1 });
    expect(tool).toBe('{"v":2,"kind":"result","output":{"a":1}}');
    expect(shownResult("tool", tool)).toEqual({ a: 1 });
    const check = resultMessage("check", { passed: true });
    expect(check).toBe('{"v":2,"kind":"check-result","result":{"passed":true}}');
    expect(shownResult("check", check)).toEqual({ passed: true });
    expect(shownResult("tool", resultMessage("tool", null))).toBeNull();
  });

  test("show nothing of a result that is no JSON, whatever pack code put onto Object.prototype", () => {
    const polluted = Object.prototype as { output?: unknown; toJSON?: unknown };
    Object.assign(polluted, { output: 1, toJSON: () => "text" });
    try {
      expect(resultMessage("tool", 1)).toBe('{"v":2,"kind":"result","output":1}');
      const message = resultMessage("tool", undefined);
      expect(message).toBe('{"v":2,"kind":"result"}');
      expect(shownResult("tool", message)).toBeUndefined();
    } finally {
      delete polluted.output;
      delete polluted.toJSON;
    }
  });

  test("name the subject of an error, and leave out what is not there", () => {
    const failure = new Failure("handler-throw", "m", { cause: null });
    expect(JSON.parse(errorMessage(failure, { target: "check", id: "c" }))).toEqual({
      v: 2,
      kind: "error",
      code: "handler-throw",
      message: "m",
      checkId: "c",
      cause: null,
    });
    const bare = JSON.parse(errorMessage(new Failure("malformed-message", "m"), undefined));
    expect(Object.keys(bare)).toEqual(["v", "kind", "code", "message"]);
  });
});
