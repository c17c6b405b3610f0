import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineCheck, defineTool } from "../../src/author.ts";
import type { Schema } from "../../src/author.ts";
import { createPackClient } from "../../src/client.ts";
import type { CheckResult, FailedOutcome } from "../../src/client.ts";
import type legacyTypeboxTool from "../libraries/pack/tools/typebox-0.34.ts";
import type valibotTool from "../libraries/pack/tools/valibot.ts";
import { ctx, testHandler, token } from "./client-setup.ts";

interface Ledger {
  tools: {
    "record-expense": { input: { vendor: string; note?: string }; output: { id: string } };
    "from-schema": typeof schemaTool;
    "from-model": { inputZod: z.ZodObject<{ on: z.ZodDefault<z.ZodString> }> };
  };
  checks: {
    limit: { config: { maximum: string }; trace: { spent: number } };
    open: { result: CheckResult & { attributes: { seen: number } } };
  };
}

const schemaTool = {
  input: z.object({ amount: z.string().transform(Number) }),
  output: z.object({ total: z.number().default(0), on: z.string().transform(Number) }),
  handler: () => ({ on: "1" }),
};

const jsonSchema = {
  type: "object",
  properties: { text: { type: "string" }, times: { type: "integer", default: 2 } },
  required: ["text"],
  additionalProperties: false,
} as const;

const jsonSchemaTool = defineTool({
  id: "json-schema",
  input: jsonSchema,
  output: jsonSchema,
  handler: ({ text }) => ({ text }),
});

const zodSchema = z.object({ text: z.string().default("a"), at: z.string().transform(Number) });

const zodTool = defineTool({
  id: "zod",
  input: zodSchema,
  output: zodSchema,
  handler: ({ at }) => ({ at: `${at}` }),
});

const schema = {} as Schema;

const definitions = {
  tools: {
    "json-schema": jsonSchemaTool,
    zod: zodTool,
    open: defineTool({ id: "open", input: schema, output: schema, handler: (input) => input }),
  },
  checks: {
    "json-schema": defineCheck({
      id: "json-schema",
      config: jsonSchema,
      evaluate: (_config, trace: { response: string }) => ({ passed: trace.response !== "" }),
    }),
    zod: defineCheck({ id: "zod", config: zodSchema, evaluate: () => ({ passed: true }) }),
    empty: defineCheck({
      id: "empty",
      config: { type: "object", properties: { a: { type: "string", default: "b" } } },
      settings: {},
      evaluate: () => ({ passed: true }),
    }),
  },
};

interface Libraries {
  tools: { valibot: typeof valibotTool; typebox: typeof legacyTypeboxTool };
}

const options = { url: "http://pack", token, fetch: testHandler() };
const client = createPackClient<Ledger>(options);
const untyped = createPackClient(options);
const defined = createPackClient<typeof definitions>(options);
const libraries = createPackClient<Libraries>(options);

// These hold when `tsc` accepts the file; a comment of `@ts-expect-error` on what it would accept fails there.
describe("types of a client", () => {
  test("follow the tool's id", async () => {
    const outcome = await client.invoke("record-expense", { vendor: "v" }, { ctx });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("output")
      .toEqualTypeOf<{ id: string }>();
    expectTypeOf(outcome).extract<{ ok: false }>().toEqualTypeOf<FailedOutcome>();
    // @ts-expect-error a member is missing
    await client.invoke("record-expense", {}, { ctx });
    // @ts-expect-error no such tool
    await client.invoke("record", { vendor: "v" }, { ctx });
    // @ts-expect-error no context
    await client.invoke("record-expense", { vendor: "v" }, {}).catch(() => {});
  });

  test("come from Standard Schemas, too", async () => {
    const outcome = await client.invoke("from-schema", { amount: "1" }, { ctx });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("output")
      .toEqualTypeOf<{ total?: number | undefined; on: string }>();
    const modelled = await client.invoke("from-model", {}, { ctx });
    expectTypeOf(modelled).extract<{ ok: true }>().toHaveProperty("output").toBeUnknown();
    // @ts-expect-error the schema takes a text
    await client.invoke("from-schema", { amount: 1 }, { ctx });
    // @ts-expect-error the model takes a text
    await client.invoke("from-model", { on: 1 }, { ctx });
  });

  test("come from a tool that was defined with a JSON Schema", async () => {
    const outcome = await defined.invoke("json-schema", { text: "a" }, { ctx });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("output")
      .toEqualTypeOf<{ text: string; times?: number | undefined }>();
    await defined.invoke("json-schema", { text: "a", times: 1 }, { ctx });
    // @ts-expect-error a member is missing
    await defined.invoke("json-schema", { times: 1 }, { ctx });
    // @ts-expect-error the schema takes a number
    await defined.invoke("json-schema", { text: "a", times: "1" }, { ctx });
    // @ts-expect-error the schema takes no such member
    await defined.invoke("json-schema", { text: "a", time: 1 }, { ctx });
    // @ts-expect-error no such tool
    await defined.invoke("json", { text: "a" }, { ctx });
  });

  test("come from a tool that was defined with a Standard Schema", async () => {
    const outcome = await defined.invoke("zod", { at: "1" }, { ctx });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("output")
      .toEqualTypeOf<{ text?: string | undefined; at: string }>();
    // @ts-expect-error what the schema gives, not what it takes
    await defined.invoke("zod", { at: 1 }, { ctx });
    // @ts-expect-error a member is missing
    await defined.invoke("zod", { text: "a" }, { ctx });
  });

  test("come from a tool that was defined with another library's schemas", async () => {
    const outcome = await libraries.invoke("valibot", { text: "a" }, { ctx });
    if (outcome.ok) expectTypeOf(outcome.output.text).toBeString();
    const boxed = await libraries.invoke("typebox", { text: "a", times: 1 }, { ctx });
    if (boxed.ok) expectTypeOf(boxed.output.text).toBeString();
    // @ts-expect-error the schema takes a text
    await libraries.invoke("valibot", { text: 1 }, { ctx });
    // @ts-expect-error the schema takes a text
    await libraries.invoke("typebox", { text: 1, times: 1 }, { ctx });
  });

  test("are open where a tool's schema is known only when it runs", async () => {
    const outcome = await defined.invoke("open", 1, { ctx });
    expectTypeOf(outcome).extract<{ ok: true }>().toHaveProperty("output").toBeUnknown();
  });

  test("come from a check that was defined", async () => {
    const trace = { response: "a" };
    const outcome = await defined.check("json-schema", { config: { text: "a" }, trace });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("result")
      .toEqualTypeOf<CheckResult>();
    await defined.check("zod", { config: { at: "1" }, trace: 1 });
    await defined.check("empty", { trace: 1 });
    // @ts-expect-error the config is missing
    await defined.check("json-schema", { trace });
    // @ts-expect-error a member of the config is missing
    await defined.check("json-schema", { config: { times: 1 }, trace });
    // @ts-expect-error another trace
    await defined.check("json-schema", { config: { text: "a" }, trace: {} });
    // @ts-expect-error what the schema gives, not what it takes
    await defined.check("zod", { config: { at: 1 }, trace });
    // @ts-expect-error the schema takes a text
    await defined.check("empty", { config: { a: 1 }, trace });
  });

  test("follow the check's id", async () => {
    const outcome = await client.check("limit", { config: { maximum: "1" }, trace: { spent: 1 } });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("result")
      .toEqualTypeOf<CheckResult>();
    const open = await client.check("open", { trace: null });
    if (open.ok) expectTypeOf(open.result.attributes.seen).toBeNumber();
    // @ts-expect-error the config is missing
    await client.check("limit", { trace: { spent: 1 } });
    // @ts-expect-error another trace
    await client.check("limit", { config: { maximum: "1" }, trace: {} });
    // @ts-expect-error no such check
    await client.check("limits", { trace: null });
  });

  test("are open without a pack's types, and where those say nothing", async () => {
    const outcome = await untyped.invoke("any", 1, { ctx });
    expectTypeOf(outcome).extract<{ ok: true }>().toHaveProperty("output").toBeUnknown();
    await untyped.check("any", { trace: 1 });
    await untyped.check("any", { config: { a: 1 }, trace: 1 });
    await createPackClient<{ tools: Ledger["tools"] }>(options).check("any", { trace: 1 });
  });
});
