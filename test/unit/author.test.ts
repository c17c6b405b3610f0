import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { buildIndex } from "../../adapters/indexing/build-index.ts";
import { defineCheck, defineTool } from "../../src/author.ts";
import type { CheckContext, HandlerContext, Schema } from "../../src/author.ts";
import { createPackHandler } from "../../src/index.ts";
import { modulePaths } from "../../src/pack-index.ts";
import type { PackIndex } from "../../src/pack-index.ts";
import type jsonSchemaCheck from "../libraries/pack/guardrails/json-schema.ts";
import type zodCheck from "../libraries/pack/guardrails/zod.ts";
import type arktypeTool from "../libraries/pack/tools/arktype.ts";
import type jsonSchemaTool from "../libraries/pack/tools/json-schema.ts";
import type legacyTypeboxTool from "../libraries/pack/tools/typebox-0.34.ts";
import type typeboxTool from "../libraries/pack/tools/typebox.ts";
import type valibotTool from "../libraries/pack/tools/valibot.ts";
import type zodTool from "../libraries/pack/tools/zod.ts";
import { layPackFolder } from "./pack-folder.ts";

const root = fileURLToPath(new URL("../libraries/pack", import.meta.url));

async function libraryIndex(): Promise<PackIndex> {
  const built = await buildIndex({ root, artifactVersion: "1" });
  if ("problems" in built) throw new Error(JSON.stringify(built.problems, null, 2));
  return built.index;
}

async function call(message: object): Promise<any> {
  const index = await libraryIndex();
  const paths = modulePaths(index).map((path) => [path, () => import(`${root}/${path}`)]);
  const handler = createPackHandler(index, Object.fromEntries(paths), { token: "a-test-token" });
  await handler.ready;
  const headers = { "content-type": "application/json", "kindgi-pack-token": "a-test-token" };
  const body = JSON.stringify({ v: 2, ctx: { tenantId: "t", runId: "r" }, ...message });
  const request = new Request("http://pack/v1/invoke", { method: "POST", headers, body });
  return (await handler(request)).json();
}

const REPEATS = { type: "object", required: ["text"] };

describe.each([
  [
    "zod",
    {
      text: { type: "string", description: "What to repeat" },
      times: { type: "string", default: "2" },
    },
  ],
  [
    "valibot",
    {
      text: { type: "string", description: "What to repeat" },
      times: { type: "string", default: "2" },
    },
  ],
  ["arktype", { text: { type: "string" }, times: { type: "number" } }],
  ["typebox", { text: { type: "string" }, times: { type: "number", default: 2 } }],
  ["typebox-0.34", { text: { type: "string" }, times: { type: "number", default: 2 } }],
  ["json-schema", { text: { type: "string" }, times: { type: "integer", default: 2 } }],
])("a tool whose schemas are %s's", (id, properties) => {
  const needed = id.startsWith("typebox") ? ["text", "times"] : ["text"];

  test("is indexed with what its schemas take", async () => {
    const { tools } = await libraryIndex();
    const tool = tools.find((entry) => entry.id === id);
    expect(tool?.input).toMatchObject({ type: "object", properties });
    expect(tool?.input).toHaveProperty("required", expect.arrayContaining(needed));
    expect(tool?.input).toHaveProperty("required.length", needed.length);
    const output = { text: { type: "string" }, times: { type: "number" } };
    expect(tool?.output).toMatchObject({ ...REPEATS, properties: output });
  });

  test("is called with what its schemas give", async () => {
    const output = { text: "abab", times: 2 };
    const input = { text: "ab" };
    expect(await call({ kind: "invoke", tool: { id }, input })).toEqual({
      v: 2,
      kind: "result",
      output,
    });
    const wrong = await call({ kind: "invoke", tool: { id }, input: { text: 1 } });
    expect(wrong).toMatchObject({
      code: "input-validation-failed",
      issues: expect.arrayContaining([
        expect.objectContaining({ instancePath: "/text", keyword: "type" }),
      ]),
    });
  });
});

describe("a check", () => {
  test("is indexed with its schema and its settings", async () => {
    const { guardrails } = await libraryIndex();
    expect(guardrails).toMatchObject([
      {
        id: "json-schema-check",
        kind: "check",
        action: "warn",
        configSchema: { required: ["word"] },
      },
      {
        id: "zod-check",
        kind: "check",
        action: "block",
        config: { word: "no" },
        configSchema: { required: ["word"] },
      },
    ]);
    expect(guardrails[0]).not.toHaveProperty("config");
  });

  test.each(["zod-check", "json-schema-check"])("%s judges a trace by its config", async (id) => {
    const message = { kind: "check-invoke", check: { id }, trace: { response: "no way" } };
    expect(await call({ ...message, config: { word: "no" } })).toMatchObject({
      result: { passed: false },
    });
    expect(await call({ ...message, config: { word: "yes" } })).toMatchObject({
      result: { passed: true },
    });
    expect(await call({ ...message, config: {} })).toMatchObject({
      code: "input-validation-failed",
    });
  });
});

describe("a schema without a JSON Schema is a problem", () => {
  const standard = (vendor: string) =>
    `{ "~standard": { version: 1, vendor: "${vendor}", validate: (value) => ({ value }) } }`;

  test.each([
    [
      "of an unknown library",
      standard("new"),
      /^input has no JSON Schema, new says: this version brings no JSON Schema along; use a version that implements Standard JSON Schema/,
    ],
    [
      "of Valibot without its converter",
      standard("valibot"),
      /^input has no JSON Schema, valibot says: install @valibot\/to-json-schema beside valibot/,
    ],
    [
      "that can't have one",
      `{ "~standard": { version: 1, vendor: "x", jsonSchema: { input() { throw new Error("Date cannot be represented"); } } } }`,
      /^input has no JSON Schema, x says: Date cannot be represented$/,
    ],
  ])("%s", async (_what, schema, message) => {
    const module = `export default { id: "a", input: ${schema}, output: {}, handler() {} };`;
    const built = await buildIndex({ root: layPackFolder({ "tools/a.mjs": module }) });
    expect(built).toEqual({
      problems: [{ file: "tools/a.mjs", message: expect.stringMatching(message) }],
    });
  });
});

describe("types", () => {
  type InputOf<T extends { handler: (...args: any[]) => unknown }> = Parameters<T["handler"]>[0];
  type ReturnOf<T extends { handler: (...args: any[]) => unknown }> = Awaited<
    ReturnType<T["handler"]>
  >;

  test("of a handler's input are what its schema gives", () => {
    expectTypeOf<InputOf<typeof zodTool>>().toEqualTypeOf<{ text: string; times: number }>();
    expectTypeOf<InputOf<typeof valibotTool>>().toEqualTypeOf<{ text: string; times: number }>();
    expectTypeOf<InputOf<typeof arktypeTool>>().toEqualTypeOf<{ text: string; times: number }>();
    expectTypeOf<InputOf<typeof legacyTypeboxTool>>().toEqualTypeOf<{
      text: string;
      times: number;
    }>();
    expectTypeOf<InputOf<typeof jsonSchemaTool>>().toEqualTypeOf<{ text: string; times: number }>();
    expectTypeOf<InputOf<typeof typeboxTool>["text"]>().toEqualTypeOf<string>();
    expectTypeOf<InputOf<typeof typeboxTool>["times"]>().toEqualTypeOf<number>();
  });

  test("of what a handler returns are what its schema takes", () => {
    expectTypeOf<{ text: string; times?: number }>().toExtend<ReturnOf<typeof zodTool>>();
    expectTypeOf<{ text: string; times?: number }>().toExtend<ReturnOf<typeof valibotTool>>();
    expectTypeOf<{ text: string; times?: number }>().toExtend<ReturnOf<typeof arktypeTool>>();
    expectTypeOf<{ text: string; times?: number }>().toExtend<ReturnOf<typeof typeboxTool>>();
    expectTypeOf<{ text: string; times?: number }>().toExtend<ReturnOf<typeof legacyTypeboxTool>>();
    expectTypeOf<{ text: string; times?: number }>().toExtend<ReturnOf<typeof jsonSchemaTool>>();
    expectTypeOf<{ text: number }>().not.toExtend<ReturnOf<typeof zodTool>>();
    expectTypeOf<{ text: number }>().not.toExtend<ReturnOf<typeof jsonSchemaTool>>();
    const codec = z.object({
      at: z
        .string()
        .default("now")
        .transform((at) => at.length),
    });
    const tool = defineTool({ id: "a", input: true, output: codec, handler: () => ({}) });
    expectTypeOf<ReturnOf<typeof tool>>().toEqualTypeOf<{ at?: string | undefined }>();
  });

  test("of a check's config are those of the config as it is sent", () => {
    expectTypeOf<Parameters<typeof zodCheck.evaluate>[0]>().toEqualTypeOf<{
      word: string;
      times?: string | undefined;
    }>();
    expectTypeOf<Parameters<typeof zodCheck.evaluate>[1]>().toEqualTypeOf<unknown>();
    expectTypeOf<Parameters<typeof jsonSchemaCheck.evaluate>[0]>().toEqualTypeOf<{
      word: string;
    }>();
    expectTypeOf<Parameters<typeof jsonSchemaCheck.evaluate>[1]>().toEqualTypeOf<{
      response: string;
    }>();
    expectTypeOf<Parameters<typeof zodCheck.evaluate>[2]>().toEqualTypeOf<CheckContext>();
  });

  test("of a member with a default are optional in what is given, required in what a handler gets", () => {
    const schema = {
      type: "object",
      properties: {
        at: { type: "string", default: "now" },
        of: {
          type: "object",
          properties: { name: { type: "string", default: "all" } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    } as const;
    interface Given {
      at?: string | undefined;
      of?: { name?: string | undefined } | undefined;
    }
    const tool = defineTool({ id: "a", input: schema, output: schema, handler: () => ({}) });
    expectTypeOf<InputOf<typeof tool>>().toEqualTypeOf<{
      at: string;
      of?: { name: string } | undefined;
    }>();
    expectTypeOf<ReturnOf<typeof tool>>().toEqualTypeOf<Given>();
    const check = defineCheck({
      id: "a",
      config: schema,
      settings: {},
      evaluate: () => ({ passed: true }),
    });
    expectTypeOf<Parameters<typeof check.evaluate>[0]>().toEqualTypeOf<Given>();
    expectTypeOf<NonNullable<typeof check.config>>().toEqualTypeOf<Given>();
  });

  test("of a context are the service's", () => {
    expectTypeOf<Parameters<typeof zodTool.handler>[1]>().toEqualTypeOf<HandlerContext>();
  });

  test("of a schema that is known only when it runs are unknown", () => {
    const schema = {} as Schema;
    const tool = defineTool({ id: "a", input: schema, output: schema, handler: (input) => input });
    expectTypeOf<InputOf<typeof tool>>().toEqualTypeOf<unknown>();
  });

  // Each mistake is an error where it is made: the line below its comment.
  test("refuse a mistake where it is made", () => {
    const text = { type: "string" } as const;
    const mistakes = () => [
      defineTool({
        id: "a",
        // @ts-expect-error no type of JSON Schema
        input: { type: "objct" },
        output: text,
        handler: () => "",
      }),
      // @ts-expect-error returns a number
      defineTool({ id: "a", input: text, output: text, handler: (input) => input.length }),
      // @ts-expect-error resolves with a number
      defineTool({ id: "a", input: text, output: text, handler: async () => 1 }),
      defineTool({
        id: "a",
        input: z.object({ b: z.string() }),
        output: text,
        // @ts-expect-error the input has no such member
        handler: ({ c }) => c,
      }),
      defineTool({
        id: "a",
        input: z.object({ b: z.string() }),
        output: z.object({ c: z.number() }),
        handler: ({ b }) => ({
          // @ts-expect-error a text
          c: b,
        }),
      }),
      defineTool({
        id: "a",
        input: text,
        output: text,
        // @ts-expect-error no such member of a tool
        desription: "",
        handler: () => "",
      }),
      defineTool({
        id: "a",
        input: { type: "object", properties: { b: { type: "string", default: "c" } } },
        output: text,
        handler: ({ b }) => b,
      }),
      defineTool({
        id: "a",
        input: text,
        output: {
          type: "object",
          properties: { b: { type: "string", default: "c" } },
          required: ["b"],
        },
        // @ts-expect-error required all the same: nothing fills what a handler returns
        handler: () => ({}),
      }),
      defineCheck({
        id: "a",
        config: { type: "object", properties: { b: { type: "string", default: "c" } } },
        // @ts-expect-error a config's defaults are not filled
        evaluate: ({ b }) => ({ passed: b.length > 0 }),
      }),
      // @ts-expect-error without an output
      defineTool({ id: "a", input: text, handler: () => "" }),
      // @ts-expect-error the context has no such member with that type
      defineTool({ id: "a", input: text, output: text, handler: (_input, ctx) => ctx.abortSignal }),
      defineTool({
        id: "a",
        input: text,
        output: text,
        handler: () => "",
        // @ts-expect-error a name is a text
        env: [1],
      }),
      defineCheck({
        id: "a",
        config: z.object({ at: z.number() }),
        // @ts-expect-error not what the schema takes
        settings: { at: "1" },
        evaluate: () => ({ passed: true }),
      }),
      // @ts-expect-error no result of a check
      defineCheck({ id: "a", config: text, evaluate: () => ({ pass: true }) }),
      defineCheck({
        id: "a",
        config: z.object({ at: z.number() }),
        // @ts-expect-error the config has no such member
        evaluate: ({ to }) => ({ passed: to }),
      }),
    ];
    expect(mistakes).toBeTypeOf("function");
  });
});
