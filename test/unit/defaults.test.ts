import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Verdict } from "../../src/schema/validator.ts";
import { type Compiled, createSchemaCompiler } from "../../src/validation.ts";

const compiler = createSchemaCompiler();

function compile(schema: unknown): Compiled {
  const result = compiler.compile(schema, { fillDefaults: true });
  if ("problems" in result) throw new Error(result.problems.join("; "));
  return result;
}

const fill = (schema: unknown, value: unknown): Verdict => compile(schema).validate(value);
const filled = (value: unknown): Verdict => ({ valid: true, value });

const three = { type: "integer", default: 3 };
const withThree = { properties: { n: three } };

describe("§5 defaults are filled", () => {
  test.each([
    ["at the root", withThree, {}, { n: 3 }],
    ["below", { properties: { a: withThree } }, { a: {} }, { a: { n: 3 } }],
    ["but not below what is missing", { properties: { a: withThree } }, {}, {}],
    ["through items", { items: withThree }, [{}, { n: 1 }], [{ n: 3 }, { n: 1 }]],
    ["through prefixItems", { prefixItems: [true, withThree] }, [{}, {}, {}], [{}, { n: 3 }, {}]],
    [
      "through items behind prefixItems",
      { prefixItems: [true], items: withThree },
      [{}, {}],
      [{}, { n: 3 }],
    ],
    [
      "through tuple items",
      { items: [{}, withThree], additionalItems: withThree },
      [{}, {}, {}],
      [{}, { n: 3 }, { n: 3 }],
    ],
    [
      "through additionalProperties",
      { properties: { a: {} }, additionalProperties: withThree },
      { a: {}, b: {} },
      { a: {}, b: { n: 3 } },
    ],
    [
      "through patternProperties",
      { patternProperties: { "^x": withThree }, additionalProperties: true },
      { x1: {}, y: {} },
      { x1: { n: 3 }, y: {} },
    ],
    [
      "through allOf",
      { allOf: [withThree, { properties: { m: { default: 1 } } }] },
      {},
      { n: 3, m: 1 },
    ],
    ["through $ref", { $ref: "#/$defs/a", $defs: { a: withThree } }, {}, { n: 3 }],
    [
      "beside a $ref",
      { properties: { a: { $ref: "#/$defs/a", default: "x" } }, $defs: { a: { type: "string" } } },
      {},
      { a: "x" },
    ],
    [
      "beside a $ref in draft-07",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { a: { $ref: "#/definitions/a", default: "x" } },
        definitions: { a: { type: "string" } },
      },
      {},
      { a: "x" },
    ],
    [
      "of a $ref's target",
      { properties: { n: { $ref: "#/$defs/n" } }, $defs: { n: three } },
      {},
      { n: 3 },
    ],
    [
      "where the schema recurs",
      { properties: { n: three, next: { $ref: "#" } } },
      { next: { next: {} } },
      { n: 3, next: { n: 3, next: { n: 3 } } },
    ],
    [
      "in a filled default",
      { properties: { a: { default: {}, ...withThree } } },
      {},
      { a: { n: 3 } },
    ],
    [
      "where null is one",
      { properties: { a: { anyOf: [{ type: "string" }, { type: "null" }], default: null } } },
      {},
      { a: null },
    ],
    [
      "where nullable lets null be one",
      { properties: { a: { type: "string", nullable: true, default: null } } },
      {},
      { a: null },
    ],
    [
      "the outer one where two schemas offer one",
      { properties: { a: { default: 1 } }, allOf: [{ properties: { a: { default: 2 } } }] },
      {},
      { a: 1 },
    ],
    [
      "the next one where one doesn't fit",
      { properties: { a: { type: "integer", default: "x", allOf: [{ default: 2 }] } } },
      {},
      { a: 2 },
    ],
  ])("%s", (_name, schema, value, expected) => {
    expect(fill(schema, value)).toEqual(filled(expected));
  });

  test("a property named __proto__ becomes an own one", () => {
    const schema = JSON.parse('{"properties": {"__proto__": {"default": {"polluted": true}}}}');
    const verdict = fill(schema, {});
    expect(JSON.stringify(verdict)).toBe('{"valid":true,"value":{"__proto__":{"polluted":true}}}');
    expect(Object.getPrototypeOf((verdict as { value: object }).value)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("a name that every object inherits counts as missing", () => {
    const { value } = fill({ properties: { constructor: three } }, {}) as { value: object };
    expect(Object.entries(value)).toEqual([["constructor", 3]]);
  });
});

describe("§5 defaults are not filled", () => {
  test.each([
    ["over what is there, whatever it is", withThree, { n: 4 }, { n: 4 }],
    [
      "where they don't satisfy their own schema",
      { properties: { a: { type: "array", default: null } } },
      {},
      {},
    ],
    [
      "where they don't satisfy the $ref beside them",
      { properties: { a: { $ref: "#/$defs/a", default: 1 } }, $defs: { a: { type: "string" } } },
      {},
      {},
    ],
    ["inside anyOf", { anyOf: [withThree] }, {}, {}],
    ["inside oneOf", { oneOf: [withThree] }, {}, {}],
    ["inside not", { not: { required: ["z"], ...withThree } }, {}, {}],
    ["inside if, then and else", { if: withThree, then: withThree, else: withThree }, {}, {}],
    ["inside dependentSchemas", { dependentSchemas: { a: withThree } }, { a: 1 }, { a: 1 }],
    ["for the root or items", { default: 1, items: { default: 2 } }, [], []],
    [
      "where they would hold themselves without end",
      { properties: { next: { $ref: "#", default: {} }, n: three } },
      {},
      { n: 3 },
    ],
    [
      "where one schema's default meets another's recursion",
      { properties: { a: { $ref: "#" } }, allOf: [{ properties: { a: { default: {} } } }] },
      {},
      {},
    ],
    [
      "beside a $ref that hides its siblings",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        allOf: [{ $ref: "#/definitions/a", ...withThree }],
        definitions: { a: {} },
      },
      {},
      {},
    ],
  ])("%s", (_name, schema, value, expected) => {
    expect(fill(schema, value)).toEqual(filled(expected));
  });

  test("where the compiler isn't asked to", () => {
    const { validate } = createSchemaCompiler().compile(withThree) as Compiled;
    const value = {};
    expect(validate(value)).toEqual(filled({}));
    expect((validate(value) as { value: unknown }).value).toBe(value);
  });
});

describe("§5 a filled input that fails", () => {
  const exclusive = {
    properties: { a: { default: 1 }, b: { default: 2 }, c: { properties: { d: { default: 4 } } } },
    not: { required: ["a", "b"] },
  };

  test("is passed as it came if it is valid so", () => {
    const input = { c: {} };
    expect(fill(exclusive, input)).toEqual(filled({ c: {} }));
    expect(Object.keys(input)).toEqual(["c"]);
  });

  test("is judged as it came otherwise", () => {
    const schema = { ...exclusive, required: ["e"] };
    const verdict = fill(schema, {});
    expect(verdict.valid || verdict.issues.map(({ keyword }) => keyword)).toEqual(["required"]);
  });

  test("a default may be what makes an input valid", () => {
    expect(fill({ ...withThree, required: ["n"] }, {})).toEqual(filled({ n: 3 }));
  });
});

test("§5 a name that is too long for its pattern is refused, and what was filled is taken out", () => {
  const name = "ab".repeat(4_000_000);
  const { validate } = compile({
    ...withThree,
    patternProperties: { "^(a|b)*\\1$": withThree },
  });
  const input = { [name]: {} };
  expect(validate(input).valid).toBe(false);
  expect(Object.keys(input)).toEqual([name]);
});

test("§5 each call gets fresh copies", () => {
  const { validate } = compile({ properties: { a: { default: { list: [1] } } } });
  const first = validate({}) as { value: { a: { list: number[] } } };
  first.value.a.list.push(2);
  expect(validate({})).toEqual(filled({ a: { list: [1] } }));
});

/** How often judging `{}` asks it anything. */
function looksAt(schema: unknown, fillDefaults: boolean): number {
  let looks = 0;
  const count =
    <A extends unknown[], R>(trap: (...args: A) => R) =>
    (...args: A): R => {
      looks++;
      return trap(...args);
    };
  const { get, has, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const watched = new Proxy(
    {},
    {
      get: count(get),
      has: count(has),
      ownKeys: count(ownKeys),
      getOwnPropertyDescriptor: count(getOwnPropertyDescriptor),
    },
  );
  const result = compiler.compile(schema, { fillDefaults });
  if ("problems" in result) throw new Error(result.problems.join("; "));
  expect(result.validate(watched).valid).toBe(true);
  return looks;
}

test("only a schema with a default in reach has the input looked at for filling", () => {
  const out = { anyOf: [withThree], properties: { a: { properties: { b: {} } } } };
  expect(looksAt(out, true)).toBe(looksAt(out, false));
  const within = { properties: { a: withThree } };
  expect(looksAt(within, true)).toBeGreaterThan(looksAt(within, false));
});

const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
const json = fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme-ascii" });

const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.record(
      {
        type: fc.constantFrom("integer", "string", "object", "array", "null"),
        default: json,
        $ref: fc.constantFrom("#", "#/$defs/a"),
        nullable: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        additionalProperties: tie("schema"),
        items: tie("schema"),
        allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        default: json,
      },
      { requiredKeys: ["properties"] },
    ),
  ),
}));
const documents = fc
  .tuple(schemas, schemas)
  .map(([root, a]) => ({ ...(root as object), $defs: { a } }));
const inputs = fc.oneof(json, fc.dictionary(name, json), fc.array(fc.dictionary(name, json)));

/** Whether all of a value is in another, which may hold more members. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null) return Object.is(part, whole);
  if (typeof whole !== "object" || whole === null || Array.isArray(part) !== Array.isArray(whole))
    return false;
  if (Array.isArray(part) && part.length !== (whole as unknown[]).length) return false;
  return Object.keys(part).every(
    (key) => Object.hasOwn(whole, key) && isWithin((part as never)[key], (whole as never)[key]),
  );
}

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("filling never changes what is there, and filling again changes nothing", () => {
  fc.assert(
    fc.property(documents, inputs, (schema, input) => {
      const result = compiler.compile(schema, { fillDefaults: true });
      if ("problems" in result) return fc.pre(false);
      const before = copy(input);
      const verdict = result.validate(copy(input));
      if (!verdict.valid) return;
      expect(isWithin(before, verdict.value)).toBe(true);
      const again = result.validate(copy(verdict.value));
      expect(again).toEqual({ valid: true, value: copy(verdict.value) });
    }),
  );
});

test("an input that is valid unfilled stays valid, and one refused comes back as it was", () => {
  fc.assert(
    fc.property(documents, inputs, (schema, input) => {
      const [filling, plain] = [true, false].map((fillDefaults) =>
        compiler.compile(schema, { fillDefaults }),
      );
      if ("problems" in filling! || "problems" in plain!) return fc.pre(false);
      const sent = copy(input);
      const verdict = filling!.validate(sent);
      const own = plain!.validate(copy(input));
      if (own.valid) expect(verdict.valid).toBe(true);
      if (verdict.valid) return;
      expect(sent).toEqual(copy(input));
      expect(verdict).toEqual(own);
    }),
  );
});
