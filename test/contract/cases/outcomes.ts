import { expect } from "vitest";
import { failure, json, output } from "../answer.ts";
import type { Case } from "../case.ts";
import { callCheck, callTool } from "../messages.ts";

const STACK_LIMIT = 65_536;

const notJson = [
  "bigint",
  "nested bigint",
  "cycle",
  "function",
  "symbol",
  "undefined",
  "throwing getter",
  "throwing toJSON",
  "toJSON of undefined",
  "nested revoked proxy",
  "throwing proxy",
];

const received: Record<string, unknown> = {
  date: "1970-01-01T00:00:00.000Z",
  null: null,
  "class instance": { x: 1 },
  map: {},
  nan: null,
  "member of undefined": { kept: 1 },
  "null prototype": { a: 1 },
  "resolves twice": { first: true },
  "resolves, then throws": { first: true },
};

/** Objects that keep the output schema, and whose JSON text doesn't. */
const betterThanText = [
  "hidden member",
  "member of undefined",
  "member of NaN",
  "own toJSON",
  "inherited toJSON",
  "array with toJSON",
  "array of a class with toJSON",
  "array with a hole",
  "array of undefined",
  "boxed text in disguise",
  "proxy of two faces",
  "nested proxy",
  "raw text",
];

/** Objects whose JSON text keeps the output schema → what it holds. */
const asText: Record<string, unknown> = {
  "accessor that turns": { a: 1 },
  "boxed number": { a: 1 },
  "own toJSON that mends": { a: 1 },
  "proxy of a plain object": { a: 1 },
  "negative zero": { a: 0 },
  shared: { a: 1, list: [1, 1], again: [1, 1] },
  frozen: { a: 1, list: [1] },
};

/** What is thrown → its cause. */
const causes: Record<string, unknown> = {
  error: { name: "TypeError", message: "wrong type", stack: expect.stringContaining("throws.mjs") },
  "error of another realm": { name: "RangeError", message: "from afar", stack: expect.any(String) },
  "subclass of error": { name: "CodedError", message: "coded", stack: expect.any(String) },
  "abort error": { name: "AbortError", message: "not asked for", stack: expect.any(String) },
  undefined: null,
  null: null,
  text: "a text",
  number: 42,
  boolean: false,
  object: { code: "E_PLAIN", details: [1, 2] },
  array: [1, "two"],
  bigint: expect.any(String),
  symbol: expect.stringContaining("thrown"),
  function: expect.any(String),
  cycle: expect.any(String),
  "revoked proxy": expect.any(String),
  "hostile object": expect.any(String),
};

const badResults = [
  "no object",
  "array",
  "null",
  "undefined",
  "passed is a text",
  "passed is missing",
  "reason is a number",
  "judgeResponse is null",
  "attributes is an array",
  "attributes is null",
  "bigint",
];

export const outcomeCases: readonly Case[] = [
  ...notJson.map((name): Case => ({
    id: `2-returns-${name}`,
    title: `a handler that returns ${name}`,
    verifies: ["2.output-not-json", "2.valid-200", "2.subject"],
    async run({ service }) {
      const answer = await callTool(await service(), "returns", { name });
      expect(failure(answer, "output-validation-failed").toolId).toBe("returns");
    },
  })),
  ...Object.entries(received).map(([name, value]): Case => ({
    id: `2-returns-${name}`,
    title: `a handler that returns ${name} gives what JSON makes of it`,
    verifies: ["2.valid-200"],
    async run({ service }) {
      expect(output(await callTool(await service(), "returns", { name }))).toEqual(value);
    },
  })),
  ...betterThanText.map((name): Case => ({
    id: `2-two-faced-${name}`,
    title: `${name}: the output is judged as the caller would receive it, and refused`,
    verifies: ["2.output-invalid"],
    async run({ service }) {
      const answer = await callTool(await service(), "two-faced", { name });
      failure(answer, "output-validation-failed");
    },
  })),
  ...Object.entries(asText).map(([name, value]): Case => ({
    id: `2-two-faced-${name}`,
    title: `${name}: the output is judged as the caller would receive it, and sent`,
    verifies: ["2.output-invalid"],
    async run({ service }) {
      expect(output(await callTool(await service(), "two-faced", { name }))).toEqual(value);
    },
  })),
  ...Object.entries({ "throwing then": "Error", "revoked proxy": "TypeError" }).map(
    ([name, errorName]): Case => ({
      id: `2-returns-${name}`,
      title: `${name}: what can't be awaited has thrown`,
      verifies: ["2.handler-throw"],
      async run({ service }) {
        const error = failure(
          await callTool(await service(), "returns", { name }),
          "handler-throw",
        );
        expect(error.cause).toMatchObject({ name: errorName, message: expect.any(String) });
      },
    }),
  ),
  {
    id: "2-returns-too deep",
    title: "a value too deep for the runtime's own JSON is no JSON; for another runtime it is",
    verifies: ["2.output-not-json", "2.valid-200"],
    async run({ service }) {
      const answer = await callTool(await service(), "returns", { name: "too deep" });
      if (answer.text.startsWith('{"v":2,"kind":"result"'))
        expect(json(answer).output).toHaveLength(1);
      else failure(answer, "output-validation-failed");
    },
  },
  {
    id: "2-output-invalid",
    title: "a value that breaks the output schema is told issue by issue",
    verifies: ["2.output-invalid", "2.issues", "2.subject"],
    async run({ service }) {
      const error = failure(
        await callTool(await service(), "wrong-output"),
        "output-validation-failed",
      );
      expect(error.toolId).toBe("wrong-output");
      expect(error.issues).toEqual([
        expect.objectContaining({
          instancePath: "/greeting",
          keyword: "type",
          params: { type: "string" },
        }),
      ]);
    },
  },
  {
    id: "2-output-received",
    title: "the output is judged as the caller would receive it",
    verifies: ["2.output-invalid"],
    async run({ service }) {
      const running = await service();
      output(await callTool(running, "date-output", { name: "date" }));
      failure(await callTool(running, "date-output", { name: "nan" }), "output-validation-failed");
      failure(
        await callTool(running, "strict-output", { name: "map" }),
        "output-validation-failed",
      );
      output(await callTool(running, "strict-output", { name: "class instance" }));
    },
  },
  ...Object.entries(causes).map(([name, cause]): Case => ({
    id: `2-throws-${name}`,
    title: `a handler that throws ${name}`,
    verifies: [
      "2.handler-throw",
      "2.cause-error",
      "2.cause-value",
      "2.cause-bounded",
      "2.subject",
      "2.valid-200",
    ],
    async run({ service }) {
      for (const id of ["throws", "throws-sync"]) {
        const error = failure(await callTool(await service(), id, { name }), "handler-throw");
        expect(error).toMatchObject({ toolId: id });
        expect(error).toHaveProperty("cause");
        expect(error.cause).toEqual(cause);
      }
    },
  })),
  {
    id: "2-throws-hostile error",
    title: "an error whose members throw is an error all the same",
    verifies: ["2.cause-bounded", "2.handler-throw"],
    async run({ service }) {
      const error = failure(
        await callTool(await service(), "throws", { name: "hostile error" }),
        "handler-throw",
      );
      expect(error).toHaveProperty("cause");
    },
  },
  {
    id: "2-throws-long stack",
    title: "a stack is cut at 64 KiB",
    verifies: ["2.cause-bounded"],
    async run({ service }) {
      const error = failure(
        await callTool(await service(), "throws", { name: "long stack" }),
        "handler-throw",
      );
      const { stack } = error.cause as { stack: string };
      expect(stack.length).toBeGreaterThan(STACK_LIMIT / 2);
      expect(stack.length).toBeLessThanOrEqual(STACK_LIMIT);
    },
  },
  {
    id: "2-throws-huge object",
    title: "a huge thrown value doesn't grow the answer",
    verifies: ["2.cause-bounded"],
    async run({ service }) {
      const answer = await callTool(await service(), "throws", { name: "huge object" });
      failure(answer, "handler-throw");
      expect(answer.text.length).toBeLessThan(1_000_000);
    },
  },
  {
    id: "2-model-throws",
    title: "a model that throws is pack code that throws",
    verifies: ["2.handler-throw"],
    async run({ service }) {
      const error = failure(await callTool(await service(), "model-throws"), "handler-throw");
      expect(error.cause).toMatchObject({ message: "the model is broken" });
    },
  },
  {
    id: "2-check-throws",
    title: "a check that throws",
    verifies: ["2.handler-throw", "2.subject", "2.cause-error"],
    async run({ service }) {
      const error = failure(
        await callCheck(await service(), "check-returns", { name: "throw" }),
        "handler-throw",
      );
      expect(error).toMatchObject({
        checkId: "check-returns",
        cause: { name: "Error", message: "the check broke" },
      });
      expect(error).not.toHaveProperty("toolId");
    },
  },
  ...badResults.map((name): Case => ({
    id: `2-check-returns-${name}`,
    title: `a check's result is none: ${name}`,
    verifies: ["2.check-result", "2.output-not-json", "2.subject", "2.valid-200"],
    async run({ service }) {
      const answer = await callCheck(await service(), "check-returns", { name });
      expect(failure(answer, "output-validation-failed").checkId).toBe("check-returns");
    },
  })),
  {
    id: "2-check-result",
    title: "a check's result is passed on with all its members",
    verifies: ["2.check-result"],
    async run({ service }) {
      expect(
        output(await callCheck(await service(), "check-returns", { name: "not passed" })),
      ).toEqual({
        passed: false,
        reason: "no",
        judgeResponse: "judged",
        attributes: { score: 0.5 },
        more: [1],
      });
      expect(
        output(await callCheck(await service(), "check-returns", { name: "passed by toJSON" })),
      ).toEqual({
        passed: true,
        shape: "toJSON",
      });
    },
  },
  {
    id: "2-handler-shape-invalid",
    title: "a module without a handler",
    verifies: ["2.handler-shape-invalid", "2.subject"],
    async run({ service }) {
      const error = failure(await callTool(await service(), "no-handler"), "handler-shape-invalid");
      expect(error.toolId).toBe("no-handler");
    },
  },
  {
    id: "2-check-shape-invalid",
    title: "a module without an evaluate",
    verifies: ["2.check-shape-invalid", "2.subject"],
    async run({ service }) {
      const error = failure(await callCheck(await service(), "no-evaluate"), "check-shape-invalid");
      expect(error.checkId).toBe("no-evaluate");
    },
  },
  {
    id: "2-throw-is-no-500",
    title: "after all of this the service still answers",
    verifies: ["1.500"],
    async run({ service }) {
      const running = await service();
      failure(await callTool(running, "throws", { name: "revoked proxy" }), "handler-throw");
      failure(await callTool(running, "returns", { name: "cycle" }), "output-validation-failed");
      output(await callTool(running, "echo"));
    },
  },
];
