import { expect } from "vitest";
import { createPackHandler } from "../../../src/index.ts";
import { failure, output } from "../answer.ts";
import type { Case } from "../case.ts";
import { toRequest } from "../in-process.ts";
import { callCheck, callTool, invoke } from "../messages.ts";
import { indexOf, tool } from "../packs.ts";
import type { RequirementId } from "../requirements.ts";
import { TOKEN } from "../target.ts";

/** The fixture's tool → what its handler says it was found as. */
const toolShapes: Record<string, [shape: string, ...verifies: RequirementId[]]> = {
  "shape-default": ["default", "4.arguments"],
  "shape-handler": ["handler"],
  "shape-run": ["run"],
  "shape-default-object": ["default.handler", "4.this"],
  "shape-default-run": ["default.run", "4.this"],
  "shape-handler-object": ["handler.run", "4.this"],
  "shape-run-object": ["run.handler", "4.this"],
  "shape-result": ["ok(default).handler", "4.result", "4.this"],
  "shape-result-inner": ["default.ok(handler)", "4.result"],
  "shape-result-function": ["ok(run)", "4.result"],
  "shape-cjs-function": ["module.exports", "4.cjs"],
  "shape-cjs-default": ["default.default", "4.cjs", "4.this"],
  "shape-cjs-handler": ["exports.handler", "4.cjs"],
  "shape-both": ["default first"],
};

const checkShapes: Record<string, [shape: string, ...verifies: RequirementId[]]> = {
  "check-evaluate": ["evaluate", "4.check-arguments"],
  "check-default": ["default"],
  "check-check": ["check"],
  "check-default-object": ["default.evaluate", "4.this"],
  "check-default-check": ["default.check.evaluate", "4.this"],
  "check-evaluate-object": ["evaluate.evaluate", "4.this"],
  "check-check-object": ["check.evaluate", "4.this"],
  "check-result": ["ok(default).evaluate", "4.result"],
  "check-cjs": ["default.default", "4.cjs"],
};

export const moduleCases: readonly Case[] = [
  ...Object.entries(toolShapes).map(([id, [shape, ...verifies]]): Case => ({
    id: `4-${id}`,
    title: `a tool found as ${shape}`,
    verifies: ["4.tool-shapes", ...verifies],
    async run({ service }) {
      expect(output(await callTool(await service(), id)).shape).toBe(shape);
    },
  })),
  ...Object.entries(checkShapes).map(([id, [shape, ...verifies]]): Case => ({
    id: `4-${id}`,
    title: `a check found as ${shape}`,
    verifies: ["4.check-shapes", ...verifies],
    async run({ service }) {
      expect(output(await callCheck(await service(), id))).toMatchObject({ passed: true, shape });
    },
  })),
  {
    id: "4-tool-function",
    title: "a module that is a function is the handler",
    verifies: ["4.tool-function", "4.arguments"],
    needs: "in-process",
    async run() {
      const handler = (input: unknown, ctx: { tenantId: string }) => ({
        input,
        tenantId: ctx.tenantId,
      });
      const index = indexOf({ tools: [tool("function", "function.mjs")] });
      const service = createPackHandler(
        index,
        { "./function.mjs": async () => handler },
        { token: TOKEN },
      );
      await service.ready;
      const response = await service(toRequest({ body: invoke("function", 7) }));
      expect(await response.json()).toMatchObject({
        kind: "result",
        output: { input: 7, tenantId: "tenant-1" },
      });
    },
  },
  {
    id: "4-arguments",
    title: "a handler gets the input and the context",
    verifies: ["4.arguments", "4.ctx"],
    async run({ service }) {
      const input = { a: [1, null] };
      const answer = await callTool(await service(), "shape-default", input);
      expect(output(answer)).toEqual({ shape: "default", input, tenantId: "tenant-1" });
    },
  },
  {
    id: "4-check-arguments",
    title: "a check gets its config, the trace and its signal",
    verifies: ["4.check-arguments", "5.config"],
    async run({ service }) {
      const trace = { steps: [{ text: "said" }], __x: null };
      expect(
        output(await callCheck(await service(), "check-evaluate", { limit: 3 }, trace)),
      ).toMatchObject({
        config: { limit: 3 },
        trace,
        signal: true,
        optionNames: ["abortSignal"],
      });
    },
  },
  {
    id: "4-trace-any",
    title: "a trace may be any JSON that is there",
    verifies: ["4.check-arguments"],
    async run({ service }) {
      for (const trace of [{}, [], null]) {
        expect(output(await callCheck(await service(), "check-evaluate", {}, trace)).trace).toEqual(
          trace,
        );
      }
    },
  },
  {
    id: "4-model",
    title: "a model parses what the schema has passed; the handler gets what it returns",
    verifies: ["4.model", "4.model-value"],
    async run({ service }) {
      const running = await service();
      expect(
        output(await callTool(running, "model-zod", { amount: "12.5", "a/b~c": ["x"] })),
      ).toEqual({
        amount: 12.5,
        currency: "EUR",
        "a/b~c": ["X"],
      });
      expect(output(await callTool(running, "model-standard", { a: 1 }))).toEqual({
        a: 1,
        parsed: true,
      });
      expect(output(await callTool(running, "model-on-function", {}))).toEqual({ count: 3 });
    },
  },
  {
    id: "4-model-after-schema",
    title: "where the schema refuses, the model isn't asked",
    verifies: ["4.model"],
    async run({ service }) {
      const index = indexOf({
        tools: [tool("both", "modules/model-throws.mjs", { input: { type: "string" } })],
      });
      const running = await service({ pack: { index } });
      const error = failure(await callTool(running, "both", 7), "input-validation-failed");
      expect(error.issues).toEqual([expect.objectContaining({ keyword: "type" })]);
      failure(await callTool(running, "both", "text"), "handler-throw");
    },
  },
  {
    id: "4-ctx",
    title: "a context holds the message's, its signal, and hides secrets and log",
    verifies: ["4.ctx", "4.hidden", "4.log"],
    async run({ service }) {
      const given = {
        secrets: { API_KEY: "secret-value-1" },
        env: { REGION: "eu" },
        config: { depth: 2 },
      };
      const { records } = await service();
      const answer = await callTool(await service(), "context", {}, { ctx: given });
      const seen = output(answer);
      expect(seen).toMatchObject({
        env: given.env,
        config: given.config,
        secrets: ["API_KEY"],
        secretIsThere: true,
        secretsEnumerable: false,
        logEnumerable: false,
        signal: true,
        log: ["error", "warn", "info", "debug", "trace", "child"],
      });
      expect(seen.keys).toEqual(
        expect.arrayContaining(["tenantId", "runId", "requestId", "env", "config"]),
      );
      expect(seen.keys).not.toContain("secrets");
      expect(seen.keys).not.toContain("log");
      expect(seen.printed + seen.json).not.toContain("secret-value-1");
      expect(records.count((record) => JSON.stringify(record).includes("secret-value-1"))).toBe(0);
    },
  },
  {
    id: "4-ctx-forged",
    title: "a caller's own abortSignal and log don't take the place of the service's",
    verifies: ["4.ctx", "4.log"],
    async run({ service }) {
      const forged = { abortSignal: "forged", log: "forged" };
      expect(output(await callTool(await service(), "context", {}, { ctx: forged }))).toMatchObject(
        {
          signal: true,
          log: ["error", "warn", "info", "debug", "trace", "child"],
        },
      );
    },
  },
  {
    id: "4-mutation",
    title: "what a handler does to its input and context stays in its call",
    verifies: ["4.arguments", "2.valid-200"],
    async run({ service }) {
      const running = await service();
      for (let calls = 0; calls < 2; calls++) {
        expect(output(await callTool(running, "mutate", { list: [] }))).toEqual({
          list: ["mutated"],
          added: true,
        });
      }
      expect(output(await callTool(running, "echo")).ctx.tenantId).toBe("tenant-1");
    },
  },
];
