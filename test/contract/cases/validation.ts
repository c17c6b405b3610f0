import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { createPackHandler } from "../../../src/index.ts";
import { failure, output } from "../answer.ts";
import type { Case } from "../case.ts";
import { toRequest } from "../in-process.ts";
import { callCheck, callTool, invoke } from "../messages.ts";
import { guardrail, indexOf, tool } from "../packs.ts";
import type { RequirementId } from "../requirements.ts";
import { TOKEN } from "../target.ts";
import type { Service } from "../target.ts";

interface Row {
  id: string;
  verifies: RequirementId[];
  schema: unknown;
  /** Inputs that pass; the handler gets each as it is. */
  valid?: readonly unknown[];
  invalid?: readonly unknown[];
  /** Inputs that pass, and what the handler gets of each. */
  receives?: readonly (readonly [input: unknown, received: unknown])[];
  /** Inputs as JSON text, where a value can't say what is sent. */
  validText?: readonly string[];
  invalidText?: readonly string[];
}

const draft = (name: string) => `http://json-schema.org/${name}/schema#`;
const DRAFT_04 = draft("draft-04");
const DRAFT_06 = draft("draft-06");
const DRAFT_07 = draft("draft-07");
const DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

const withDefault = (schema: object) => ({ type: "object", properties: { a: schema } });

const rows: Row[] = [
  {
    id: "draft-04",
    verifies: ["5.dialect"],
    schema: {
      $schema: DRAFT_04,
      id: "urn:draft-04",
      type: "number",
      minimum: 3,
      exclusiveMinimum: true,
    },
    valid: [4],
    invalid: [3, "4"],
  },
  {
    id: "draft-06",
    verifies: ["5.dialect"],
    schema: { $schema: DRAFT_06, const: 1 },
    valid: [1],
    invalid: [2],
  },
  {
    id: "draft-07",
    verifies: ["5.dialect"],
    schema: {
      $schema: DRAFT_07,
      type: "array",
      items: [{ type: "string" }],
      additionalItems: false,
    },
    valid: [["a"], []],
    invalid: [[1], ["a", "b"]],
  },
  {
    id: "draft-07-ref-siblings",
    verifies: ["5.dialect"],
    schema: {
      $schema: DRAFT_07,
      definitions: { text: { type: "string" } },
      properties: { a: { $ref: "#/definitions/text", maxLength: 1 } },
    },
    valid: [{ a: "longer than one" }],
    invalid: [{ a: 1 }],
  },
  {
    id: "draft-2019-09",
    verifies: ["5.dialect"],
    schema: {
      $schema: DRAFT_2019,
      type: "object",
      dependentRequired: { a: ["b"] },
      items: [{ type: "string" }],
    },
    valid: [{ b: 1 }, { a: 1, b: 1 }],
    invalid: [{ a: 1 }],
  },
  {
    id: "draft-2020-12",
    verifies: ["5.dialect"],
    schema: { $schema: DRAFT_2020, type: "array", prefixItems: [{ type: "string" }], items: false },
    valid: [["a"]],
    invalid: [["a", 1], [1]],
  },
  {
    id: "undeclared-is-2020-12",
    verifies: ["5.dialect"],
    schema: { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
    valid: [["a", 1]],
    invalid: [["a", "b"], [1]],
  },
  {
    id: "undeclared-tuple",
    verifies: ["5.older"],
    schema: {
      type: "array",
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: false,
    },
    valid: [["a", 1]],
    invalid: [
      [1, "a"],
      ["a", 1, 2],
    ],
  },
  {
    id: "undeclared-boolean-exclusive",
    verifies: ["5.older"],
    schema: {
      type: "object",
      properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true } },
    },
    valid: [{ n: 1 }],
    invalid: [{ n: 0 }],
  },
  {
    id: "nullable-with-type",
    verifies: ["5.nullable"],
    schema: { type: "object", properties: { a: { type: "string", nullable: true } } },
    valid: [{ a: null }, { a: "x" }],
    invalid: [{ a: 1 }],
  },
  {
    id: "nullable-without-type",
    verifies: ["5.nullable"],
    schema: {
      type: "object",
      properties: { a: { nullable: true, anyOf: [{ type: "string" }, { type: "number" }] } },
    },
    valid: [{ a: null }, { a: "x" }, { a: 1 }],
    invalid: [{ a: [] }],
  },
  {
    id: "nullable-false",
    verifies: ["5.nullable"],
    schema: { type: "object", properties: { a: { type: "string", nullable: false } } },
    valid: [{ a: "x" }],
    invalid: [{ a: null }],
  },
  {
    id: "pattern-without-u",
    verifies: ["5.pattern"],
    schema: { type: "string", pattern: "^[\\w\\-\\_]+$" },
    valid: ["a-b_c"],
    invalid: ["a b"],
  },
  {
    id: "pattern-with-u",
    verifies: ["5.pattern"],
    schema: { type: "string", pattern: "^\\p{L}.$" },
    valid: ["ä😀"],
    invalid: ["1a"],
  },
  {
    id: "unknown-keyword",
    verifies: ["5.annotations"],
    schema: {
      type: "string",
      "x-ms-enum": { name: "A" },
      example: "a",
      discriminator: { propertyName: "kind" },
    },
    valid: ["a"],
    invalid: [1],
  },
  {
    id: "unknown-format",
    verifies: ["5.annotations"],
    schema: { type: "integer", format: "uint32" },
    valid: [-1],
    invalid: ["a"],
  },
  {
    id: "format-email",
    verifies: ["5.formats"],
    schema: { format: "email" },
    valid: ["a@b.test", 7],
    invalid: ["a"],
  },
  {
    id: "format-date-time",
    verifies: ["5.formats"],
    schema: { type: "string", format: "date-time" },
    valid: ["2026-12-01T00:00:00Z"],
    invalid: ["2026-13-01T00:00:00Z", "yesterday"],
  },
  {
    id: "format-uuid",
    verifies: ["5.formats"],
    schema: { type: "string", format: "uuid" },
    valid: ["2f1b0f3e-9d0c-4a3e-8b1a-0a1b2c3d4e5f"],
    invalid: ["2f1b"],
  },
  {
    id: "infinite",
    verifies: ["5.infinite"],
    schema: { type: "object", properties: { n: { type: "number" }, i: { type: "integer" } } },
    validText: ['{"n":1e308}', '{"i":1e15}'],
    invalidText: ['{"n":1e400}', '{"i":1e999}', '{"n":-1e400}'],
  },
  {
    id: "multiple-of",
    verifies: ["5.multiple-of"],
    schema: { type: "number", multipleOf: 0.01 },
    valid: [19.99, 0.07, 1.1, 4.35, 1_000_000.01, 0],
    invalid: [19.999, 0.001],
  },
  {
    id: "async",
    verifies: ["5.async"],
    schema: { $async: true, type: "object", required: ["a"] },
    valid: [{ a: 1 }],
    invalid: [{}],
  },
  {
    id: "own-required",
    verifies: ["5.own"],
    schema: { type: "object", required: ["constructor", "toString"] },
    valid: [{ constructor: 1, toString: 2 }],
    invalid: [{}, { constructor: 1 }],
  },
  {
    id: "own-properties",
    verifies: ["5.own"],
    schema: {
      type: "object",
      properties: { constructor: { type: "string" }, hasOwnProperty: { type: "number" } },
      additionalProperties: false,
    },
    valid: [{}, { constructor: "a" }, { hasOwnProperty: 1 }],
    invalid: [{ constructor: 1 }, { toString: 1 }],
  },
  {
    id: "own-proto",
    verifies: ["5.own", "2.proto"],
    schema: { type: "object", required: ["a"], additionalProperties: { type: "number" } },
    validText: ['{"a":1}'],
    invalidText: ['{"__proto__":{"a":1}}'],
  },
  {
    id: "own-patterns",
    verifies: ["5.own"],
    schema: { type: "object", patternProperties: { ["__proto__"]: { type: "string" } } },
    validText: ['{"__proto__":"a"}'],
    invalidText: ['{"__proto__":1}'],
  },
  {
    id: "own-unevaluated",
    verifies: ["5.own"],
    schema: {
      anyOf: [{ properties: { a: true } }, { patternProperties: { "^b": true } }],
      unevaluatedProperties: false,
    },
    valid: [{ a: 1, b: 1 }],
    invalid: [{ constructor: 1 }, { toString: 1, a: 1 }],
    invalidText: ['{"__proto__":1}'],
  },
  {
    id: "own-dependencies",
    verifies: ["5.own", "5.dialect"],
    schema: { $schema: DRAFT_07, dependencies: { ["__proto__"]: ["a"], constructor: ["a"] } },
    validText: ['{"__proto__":1,"a":1}', "{}"],
    invalidText: ['{"__proto__":1}', '{"constructor":1}'],
  },
  {
    id: "defaults",
    verifies: ["5.defaults"],
    schema: {
      type: "object",
      properties: {
        limit: { type: "integer", default: 20 },
        nested: {
          type: "object",
          default: {},
          properties: { deep: { type: "array", items: { type: "string" }, default: ["x"] } },
        },
      },
    },
    receives: [
      [{}, { limit: 20, nested: { deep: ["x"] } }],
      [
        { limit: 1, nested: { deep: [] } },
        { limit: 1, nested: { deep: [] } },
      ],
      [{ nested: {} }, { limit: 20, nested: { deep: ["x"] } }],
    ],
  },
  {
    id: "defaults-in-items",
    verifies: ["5.defaults"],
    schema: { type: "array", items: { type: "object", properties: { a: { default: 1 } } } },
    receives: [
      [
        [{}, { a: 2 }],
        [{ a: 1 }, { a: 2 }],
      ],
    ],
  },
  {
    id: "defaults-required",
    verifies: ["5.defaults"],
    schema: { ...withDefault({ type: "string", default: "d" }), required: ["a"] },
    receives: [[{}, { a: "d" }]],
  },
  {
    id: "defaults-beside-ref",
    verifies: ["5.defaults"],
    schema: {
      $defs: { unit: { type: "string", enum: ["m", "km"] }, place: withDefault({ default: 7 }) },
      type: "object",
      properties: {
        unit: { $ref: "#/$defs/unit", default: "km" },
        place: { $ref: "#/$defs/place" },
      },
    },
    receives: [
      [{}, { unit: "km" }],
      [{ place: {} }, { unit: "km", place: { a: 7 } }],
    ],
  },
  {
    id: "defaults-that-fail",
    verifies: ["5.defaults"],
    schema: {
      type: "object",
      properties: {
        typed: { type: "string", default: null },
        few: { enum: [1], default: 2 },
        good: { default: 3 },
      },
    },
    receives: [[{}, { good: 3 }]],
  },
  {
    id: "defaults-never-in-branches",
    verifies: ["5.defaults-never"],
    schema: {
      type: "object",
      anyOf: [withDefault({ default: 1 }), {}],
      oneOf: [withDefault({ default: 1 })],
      if: withDefault({ default: 1 }),
      not: { required: ["zz"], properties: { a: { default: 1 } } },
    },
    receives: [[{}, {}]],
  },
  {
    id: "defaults-unfilled",
    verifies: ["5.defaults-unfilled"],
    schema: {
      type: "object",
      properties: { a: { default: 1 }, b: { default: 2 } },
      not: { required: ["a", "b"] },
    },
    receives: [
      [{}, {}],
      [{ a: 5 }, { a: 5 }],
    ],
    invalid: [{ a: 1, b: 2 }],
  },
  {
    id: "recursive",
    verifies: ["5.ends"],
    schema: { $ref: "#/$defs/loop", $defs: { loop: { $ref: "#/$defs/loop" } } },
    invalid: [{}, 1],
  },
  {
    id: "recursive-left",
    verifies: ["5.ends"],
    schema: {
      $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
      $ref: "#/$defs/a",
    },
    invalid: [{}],
  },
  {
    id: "deep",
    verifies: ["5.ends"],
    schema: {
      $defs: { list: { type: "array", items: { $ref: "#/$defs/list" } } },
      $ref: "#/$defs/list",
    },
    valid: [[[[]]]],
    invalid: [[[1]]],
    invalidText: ["[".repeat(200_000) + "]".repeat(200_000)],
  },
  { id: "boolean-true", verifies: ["5.dialect"], schema: true, valid: [1, {}] },
  { id: "boolean-false", verifies: ["5.dialect"], schema: false, invalid: [1, {}] },
  {
    id: "same-id-one",
    verifies: ["5.isolation"],
    schema: { $id: "https://schemas.test/same", type: "string" },
    valid: ["a"],
    invalid: [1],
  },
  {
    id: "same-id-two",
    verifies: ["5.isolation"],
    schema: { $id: "https://schemas.test/same", type: "number" },
    valid: [1],
    invalid: ["a"],
  },
  {
    id: "own-id-ref",
    verifies: ["5.isolation"],
    schema: {
      $id: "https://schemas.test/root",
      properties: { a: { $ref: "https://schemas.test/part" } },
      $defs: { part: { $id: "part", type: "string" } },
    },
    valid: [{ a: "x" }],
    invalid: [{ a: 1 }],
  },
];

const toolId = (row: Row) => `schema-${row.id}`;

function packOf(some: readonly Row[]) {
  return {
    pack: {
      index: indexOf({
        tools: some.map((row) => tool(toolId(row), "modules/echo.mjs", { input: row.schema })),
      }),
    },
  };
}

/** One pack that holds the schemas of the table, and one for each that may keep a pack from being served. */
const SCHEMAS = packOf(rows.filter((row) => !row.verifies.includes("5.ends")));
const packFor = (row: Row) => (row.verifies.includes("5.ends") ? packOf([row]) : SCHEMAS);

function callWithText(service: Service, id: string, text: string) {
  const message = JSON.stringify(invoke(id, "the input"));
  return service.send({ body: message.replace('"the input"', () => text) });
}

function fromRow(row: Row): Case {
  return {
    id: `5-${row.id}`,
    title: `${row.verifies.join(" ")}: what passes and what doesn't`,
    verifies: row.verifies,
    async run({ service }) {
      const running = await service(packFor(row));
      const id = toolId(row);
      const receives = [
        ...(row.receives ?? []),
        ...(row.valid ?? []).map((value) => [value, value] as const),
      ];
      for (const [input, received] of receives) {
        expect(output(await callTool(running, id, input)).input).toEqual(received);
      }
      for (const text of row.validText ?? []) output(await callWithText(running, id, text));
      for (const input of row.invalid ?? []) {
        const error = failure(await callTool(running, id, input), "input-validation-failed");
        expect(error.issues?.length).toBeGreaterThan(0);
      }
      for (const text of row.invalidText ?? [])
        failure(await callWithText(running, id, text), "input-validation-failed");
    },
  };
}

/** A schema that is really broken → what its problem names beside the tool and the side. */
const broken: Record<string, [schema: unknown, reason: RegExp]> = {
  "in every dialect": [{ type: "object", properties: 7 }, /properties/],
  "unresolvable ref": [{ $ref: "#/$defs/nothing" }, /#\/\$defs\/nothing/],
  "remote ref": [
    { properties: { a: { $ref: "https://remote.test/schema.json" } } },
    /https:\/\/remote\.test\/schema\.json/,
  ],
  "type dict": [{ properties: { a: { type: "dict" } } }, /dict/],
  "type float": [{ type: "float" }, /float/],
  "bad pattern": [{ type: "string", pattern: "([a-z" }, /\(\[a-z/],
  "bad required": [{ required: "a" }, /required/],
  "negative length": [{ minLength: -1 }, /minLength/],
};

export const validationCases: readonly Case[] = [
  ...rows.map(fromRow),
  {
    id: "5-annotations-named",
    title: "unknown keywords and formats are named once, in a boot record",
    verifies: ["5.annotations"],
    async run({ service }) {
      const { records } = await service(SCHEMAS);
      for (const name of ["x-ms-enum", "uint32"]) {
        const record = await records.waitFor(`names ${name}`, (candidate) =>
          JSON.stringify(candidate).includes(name),
        );
        expect(record.subsystem).toBe("service");
        expect(records.count((candidate) => JSON.stringify(candidate).includes(name))).toBe(1);
      }
    },
  },
  {
    id: "5-defaults-fresh",
    title: "a default that a handler changes is fresh for the next call",
    verifies: ["5.defaults-fresh"],
    async run({ service }) {
      const input = { type: "object", properties: { list: { type: "array", default: ["fresh"] } } };
      const index = indexOf({ tools: [tool("mutate", "modules/mutate.mjs", { input })] });
      const running = await service({ pack: { index } });
      for (let calls = 0; calls < 3; calls++) {
        expect(output(await callTool(running, "mutate", {}))).toEqual({
          list: ["fresh", "mutated"],
          added: true,
        });
      }
    },
  },
  {
    id: "5-config",
    title: "a check's config gets no defaults",
    verifies: ["5.config"],
    async run({ service }) {
      const configSchema = {
        type: "object",
        properties: { limit: { type: "integer", default: 3 } },
      };
      const index = indexOf({
        guardrails: [
          guardrail("plain", "modules/check-evaluate.mjs", { configSchema, config: { limit: 9 } }),
        ],
      });
      const running = await service({ pack: { index } });
      expect(output(await callCheck(running, "plain", {})).config).toEqual({});
      expect(output(await callCheck(running, "plain", { limit: 1, more: 2 })).config).toEqual({
        limit: 1,
        more: 2,
      });
      failure(await callCheck(running, "plain", { limit: "x" }), "input-validation-failed");
    },
  },
  {
    id: "5-isolation-loads",
    title: "a schema's $id doesn't collide with an earlier load's",
    verifies: ["5.isolation"],
    needs: "in-process",
    async run({ start }) {
      for (const type of ["string", "number"]) {
        const input = { $id: "https://schemas.test/again", type };
        const service = await start({
          pack: { index: indexOf({ tools: [tool("t", "modules/echo.mjs", { input })] }) },
        });
        output(await callTool(service, "t", type === "string" ? "a" : 1));
        failure(
          await callTool(service, "t", type === "string" ? 1 : "a"),
          "input-validation-failed",
        );
      }
    },
  },
  {
    id: "5-isolation-ref",
    title: "one tool's $id doesn't resolve another's $ref",
    verifies: ["5.isolation", "5.broken"],
    async run({ target }) {
      const index = indexOf({
        tools: [
          tool("holder", "modules/echo.mjs", {
            input: { $id: "https://schemas.test/shared", type: "string" },
          }),
          tool("borrower", "modules/echo.mjs", { input: { $ref: "https://schemas.test/shared" } }),
        ],
      });
      const problems = await target.problems({ pack: { index } });
      expect(problems).toEqual([
        expect.stringMatching(/borrower.*https:\/\/schemas\.test\/shared/s),
      ]);
    },
  },
  {
    id: "5-no-fetch",
    title: "a remote $ref is named and not fetched",
    verifies: ["5.no-fetch", "5.broken"],
    async run({ target }) {
      const requests: string[] = [];
      const server = createServer((request, response) => {
        requests.push(request.url ?? "");
        response.end('{"type":"string"}');
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const remote = `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`;
      const index = indexOf({
        tools: [tool("remote", "modules/echo.mjs", { input: { $ref: remote } })],
      });
      const problems = await target.problems({ pack: { index } });
      server.close();
      expect(problems.join("\n")).toContain(remote);
      expect(requests).toEqual([]);
    },
  },
  {
    id: "5-broken",
    title: "every broken schema is a problem that names the tool, the side and the reason",
    verifies: ["5.broken", "5.compiled", "7.boot-failed"],
    async run({ target }) {
      const entries = Object.entries(broken);
      const tools = entries.flatMap(([name, [schema]]) => [
        tool(`${name} in`, "modules/echo.mjs", { input: schema }),
        tool(`${name} out`, "modules/echo.mjs", { output: schema }),
      ]);
      const guardrails = [
        guardrail("bad config", "modules/check-evaluate.mjs", { configSchema: { type: "float" } }),
      ];
      const problems = await target.problems({ pack: { index: indexOf({ tools, guardrails }) } });
      for (const [name, [, reason]] of entries) {
        for (const [id, side] of [
          [`${name} in`, "input"],
          [`${name} out`, "output"],
        ] as const) {
          const named = problems.filter((problem) => problem.includes(id));
          expect(named.join("\n"), id).toContain(side);
          expect(named.join("\n"), id).toMatch(reason);
        }
      }
      expect(problems.filter((problem) => problem.includes("bad config")).join("\n")).toMatch(
        /float/,
      );
    },
  },
  {
    id: "5-compiled",
    title: "nothing reads a schema once the service is ready",
    verifies: ["5.compiled", "5.compiled-once"],
    needs: "in-process",
    async run() {
      let reads = 0;
      const schema = { type: "object", properties: { a: { type: "number" } } };
      const watched = new Proxy(schema, {
        get(target, name, receiver) {
          reads += 1;
          return Reflect.get(target, name, receiver);
        },
      });
      const index = indexOf({ tools: [tool("t", "t.mjs", { input: watched, output: watched })] });
      const handler = createPackHandler(
        index,
        { "t.mjs": { default: (input: unknown) => input } },
        { token: TOKEN },
      );
      expect(reads).toBeGreaterThan(0);
      reads = 0;
      for (const a of [1, "x", 2])
        await (await handler(toRequest({ body: invoke("t", { a }) }))).text();
      expect(reads).toBe(0);
    },
  },
];
