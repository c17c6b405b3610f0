import { describe, expect, test } from "vitest";
import { findEvaluate, findHandler } from "../../src/exports.ts";

const answer = () => "found";
const ok = (value: unknown) => ({ kind: "ok", value });

describe("findHandler (§4)", () => {
  test.each<[string, unknown]>([
    ["the module itself", answer],
    ["default", { default: answer }],
    ["handler", { handler: answer }],
    ["run", { run: answer }],
    ["default.handler", { default: { handler: answer } }],
    ["default.run", { default: { run: answer } }],
    ["handler.run", { handler: { run: answer } }],
    ["run.handler", { run: { handler: answer } }],
    ["default.default", { default: { default: answer } }],
    ["default.default.run", { default: { default: { run: answer } } }],
    ["a Result in default", { default: ok(answer) }],
    ["a Result of an object", { default: ok({ handler: answer }) }],
    ["a Result in default.default", { default: { default: ok({ run: answer }) } }],
    ["a Result in handler", { handler: ok(answer) }],
    ["a Result in an object's member", { default: { handler: ok(answer) } }],
    ["run, where default holds no function", { default: { id: "x" }, run: answer }],
    [
      "run, where default can't be read",
      {
        get default() {
          throw new Error("not yet");
        },
        run: answer,
      },
    ],
  ])("finds %s", (_, module) => {
    expect(findHandler(module)?.call()).toBe("found");
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["another name", { execute: answer }],
    ["no function", { default: { handler: "x" } }],
    ["a failed Result", { default: { kind: "err", value: answer } }],
    ["null", null],
    ["a text", "x"],
  ])("finds none in %s", (_, module) => {
    expect(findHandler(module)).toBeUndefined();
  });

  test("prefers default, then handler, then run", () => {
    const other = () => "other";
    expect(findHandler({ run: other, handler: other, default: answer })?.call()).toBe("found");
    expect(findHandler({ run: other, handler: answer })?.call()).toBe("found");
    expect(findHandler({ default: { run: other, handler: answer } })?.call()).toBe("found");
  });

  test("calls a method of its object, with its arguments", () => {
    const pack = {
      rate: 3,
      handler(this: { rate: number }, input: number, ctx: number) {
        return this.rate * input + ctx;
      },
    };
    expect(findHandler({ default: pack })?.call(2, 1)).toBe(7);
    expect(findHandler({ default: ok(pack) })?.call(2, 1)).toBe(7);
  });
});

describe("findEvaluate (§4)", () => {
  test.each<[string, unknown]>([
    ["evaluate", { evaluate: answer }],
    ["default", { default: answer }],
    ["check", { check: answer }],
    ["default.evaluate", { default: { evaluate: answer } }],
    ["evaluate.evaluate", { evaluate: { evaluate: answer } }],
    ["check.evaluate", { check: { evaluate: answer } }],
    ["default.check", { default: { check: answer } }],
    ["default.check.evaluate", { default: { check: { evaluate: answer } } }],
    ["default.default.evaluate", { default: { default: { evaluate: answer } } }],
    ["a Result in default", { default: ok({ evaluate: answer }) }],
    ["a Result in check", { default: { check: ok({ evaluate: answer }) } }],
  ])("finds %s", (_, module) => {
    expect(findEvaluate(module)?.call()).toBe("found");
  });

  test.each([{}, { handler: answer }, { default: { run: answer } }, null])(
    "finds none in %j",
    (module) => {
      expect(findEvaluate(module)).toBeUndefined();
    },
  );
});

describe("models (§4)", () => {
  const standard = (name: string) => ({
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value: unknown) => ({ value: [name, value] }),
    },
  });

  test.each<[string, unknown]>([
    ["beside the handler", { default: { handler: answer, inputZod: standard("m") } }],
    ["under input", { default: { handler: answer, input: standard("m") } }],
    ["on the module", { handler: answer, inputZod: standard("m") }],
    ["on the function", { default: Object.assign(() => 1, { inputZod: standard("m") }) }],
    ["in a Result", { default: ok({ handler: answer, inputZod: standard("m") }) }],
    [
      "nearer than the module's",
      { default: { run: answer, inputZod: standard("m") }, inputZod: standard("x") },
    ],
  ])("are found %s", async (_, module) => {
    expect(await findHandler(module)?.model?.(1)).toEqual({ value: ["m", 1] });
  });

  test("may be Zod schemas from before Standard Schema", async () => {
    const zod = (result: unknown) => ({ safeParseAsync: async () => result });
    const model = (result: unknown) =>
      findHandler({ handler: answer, inputZod: zod(result) })?.model;
    expect(await model({ success: true, data: 5 })?.(1)).toEqual({ value: 5 });
    expect(await model({ success: false, error: { issues: [1] } })?.(1)).toEqual({ issues: [1] });
  });

  test("are none where input is a plain JSON Schema", () => {
    expect(
      findHandler({ default: { handler: answer, input: { type: "object" } } })?.model,
    ).toBeUndefined();
  });
});
