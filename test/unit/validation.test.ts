import { describe, expect, test } from "vitest";
import type { Verdict } from "../../src/schema/validator.ts";
import { type Compiled, type CompileOptions, createSchemaCompiler } from "../../src/validation.ts";

function compile(schema: unknown, options?: CompileOptions): Compiled {
  const result = createSchemaCompiler().compile(schema, options);
  if ("problems" in result) throw new Error(result.problems.join("; "));
  return result;
}

function problems(schema: unknown): string[] {
  const result = createSchemaCompiler().compile(schema);
  return "problems" in result ? result.problems : [];
}

const accepts = (schema: unknown, value: unknown): boolean => compile(schema).validate(value).valid;

const issues = (verdict: Verdict) => (verdict.valid ? [] : verdict.issues);

describe("§5 dialects", () => {
  const tuple = { items: [{ type: "string" }], additionalItems: false };

  test.each([
    ["http://json-schema.org/draft-04/schema#", { minimum: 0, exclusiveMinimum: true }, 1, 0],
    ["https://json-schema.org/draft-04/schema", { minimum: 0, exclusiveMinimum: true }, 1, 0],
    ["http://json-schema.org/draft-06/schema#", { exclusiveMinimum: 0 }, 1, 0],
    ["http://json-schema.org/draft-07/schema#", tuple, ["a"], ["a", "b"]],
    ["https://json-schema.org/draft-07/schema", tuple, ["a"], ["a", "b"]],
    [
      "https://json-schema.org/draft/2019-09/schema",
      { dependentRequired: { a: ["b"] } },
      {},
      { a: 1 },
    ],
    [
      "http://json-schema.org/draft/2020-12/schema#",
      { prefixItems: [{ type: "string" }] },
      ["a"],
      [1],
    ],
  ])("%s", ($schema, schema, good, bad) => {
    expect(accepts({ $schema, ...schema }, good)).toBe(true);
    expect(accepts({ $schema, ...schema }, bad)).toBe(false);
    expect(compile({ $schema, ...schema }).warnings).toEqual([]);
  });

  test("a keyword that a draft doesn't have says nothing there", () => {
    const $schema = "http://json-schema.org/draft-06/schema#";
    expect(accepts({ $schema, if: true, then: false }, 1)).toBe(true);
    expect(compile({ $schema, if: true }).annotations).toEqual(["keyword if"]);
  });

  test("undeclared is 2020-12, or the newest draft that the schema is valid in", () => {
    expect(accepts({ prefixItems: [{ type: "string" }] }, [1])).toBe(false);
    expect(accepts(tuple, ["a"])).toBe(true);
    expect(accepts(tuple, ["a", "b"])).toBe(false);
    expect(accepts({ minimum: 0, exclusiveMinimum: true }, 0)).toBe(false);
    expect(accepts({ minimum: 0, exclusiveMinimum: true }, 1)).toBe(true);
  });

  test("a declared draft that the schema is not valid in gives way, with a warning", () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const { validate, warnings } = compile({ $schema, minimum: 0, exclusiveMinimum: true });
    expect(validate(0).valid).toBe(false);
    expect(warnings).toEqual([
      `$schema "${$schema}" is not what the schema is valid as: read as draft-04`,
    ]);
  });

  test("an unknown $schema is read as if there were none, with a warning that names it", () => {
    const { validate, warnings } = compile({ $schema: "https://example.com/mine", type: "string" });
    expect(validate(1).valid).toBe(false);
    expect(warnings).toEqual(['$schema "https://example.com/mine" is not known: read as 2020-12']);
  });

  test("until draft-07 nothing beside a $ref counts", () => {
    const schema = { $ref: "#/definitions/a", maxItems: 1, definitions: { a: { type: "array" } } };
    const $schema = "http://json-schema.org/draft-07/schema#";
    expect(accepts({ $schema, ...schema }, [1, 2])).toBe(true);
    expect(accepts(schema, [1, 2])).toBe(false);
  });
});

describe("§5 nullable", () => {
  test.each([
    ["type", { type: "string" }, "a", 1],
    ["no type", {}, 1, undefined],
    ["a list of types", { type: ["string", "integer"] }, 1, true],
    ["enum", { type: "string", enum: ["a"] }, "a", "b"],
    ["const", { const: "a" }, "a", "b"],
    ["$ref", { $ref: "#/$defs/text" }, "a", 1],
    ["anyOf", { anyOf: [{ type: "string" }, { type: "integer" }] }, 1, true],
    [
      "oneOf, one of which takes null too",
      { oneOf: [{ type: "string" }, { enum: [null, 1] }] },
      1,
      2,
    ],
    ["allOf", { allOf: [{ type: "string" }, { minLength: 2 }] }, "ab", "a"],
    ["not", { not: { type: ["string", "null"] } }, 1, "a"],
    ["if", { if: { type: "null" }, then: false }, 1, undefined],
  ])("beside %s", (_name, schema, good, bad) => {
    const $defs = { text: { type: "string" } };
    const nullable = { $defs, properties: { value: { ...schema, nullable: true } } };
    expect(accepts(nullable, { value: null })).toBe(true);
    expect(accepts(nullable, { value: good })).toBe(true);
    if (bad !== undefined) expect(accepts(nullable, { value: bad })).toBe(false);
    expect(compile(nullable).annotations).toEqual([]);
  });

  test("false, or on another schema, changes nothing", () => {
    expect(accepts({ type: "string", nullable: false }, null)).toBe(false);
    expect(accepts({ properties: { nullable: { type: "boolean" } } }, { nullable: null })).toBe(
      false,
    );
  });

  test("a reference into what it moved still leads there", () => {
    const properties = {
      a: { nullable: true, oneOf: [{ type: "string" }, { type: "integer" }] },
      b: { $ref: "#/properties/a/oneOf/0" },
    };
    expect(accepts({ properties }, { a: 1, b: "x" })).toBe(true);
    expect(accepts({ properties }, { b: 1 })).toBe(false);
  });
});

describe("§5 patterns", () => {
  test.each(["[\\w\\-\\_]+", "^\\_x$", "^[a-z]{1,3}\\-x$"])(
    "%s is legal without the u flag",
    (pattern) => {
      expect(problems({ pattern })).toEqual([]);
    },
  );

  test("the u flag holds where it is legal", () => {
    expect(accepts({ pattern: "^.$" }, "😀")).toBe(true);
    expect(accepts({ patternProperties: { "^\\p{L}$": false } }, { é: 1 })).toBe(false);
  });

  test("a bad one is named with its place", () => {
    const [problem, ...others] = problems({ properties: { a: { pattern: "[" } } });
    expect(problem).toMatch(/^\/properties\/a\/pattern: "\[" is not a regular expression: ./);
    expect(others).toEqual([]);
    expect(problems({ patternProperties: { "(": true } })[0]).toMatch(
      /^\/patternProperties\/\(: "\("/,
    );
  });
});

describe("§5 annotations", () => {
  test("unknown keywords and formats are named once, and not checked", () => {
    const { annotations, validate } = compile({
      discriminator: { propertyName: "kind" },
      properties: {
        a: { type: "integer", format: "uint32", "x-order": 1 },
        b: { type: "integer", format: "uint32", "x-order": 2, constructor: 1 },
      },
    });
    expect(annotations).toEqual([
      "keyword discriminator",
      "keyword x-order",
      "keyword constructor",
      "format uint32",
    ]);
    expect(validate({ a: -1 }).valid).toBe(true);
  });

  test("known formats assert", () => {
    expect(accepts({ format: "date" }, "2026-02-30")).toBe(false);
    expect(accepts({ format: "email" }, "a@example.com")).toBe(true);
    expect(accepts({ format: "int32" }, 2 ** 31)).toBe(false);
  });

  test("$async means nothing", () => {
    const { validate } = compile({
      $async: true,
      type: "string",
      properties: { a: { $async: true } },
    });
    expect(validate(1).valid).toBe(false);
    expect(validate("a")).toEqual({ valid: true, value: "a" });
  });
});

describe("§5 numbers", () => {
  test.each(["1e400", "-1e400"])("%s is no number", (text) => {
    for (const type of ["number", "integer"])
      expect(accepts({ type }, JSON.parse(text))).toBe(false);
  });

  test.each([
    [19.99, 0.01, true],
    [0.3, 0.1, true],
    [4.35, 0.01, true],
    [1.1, 0.01, true],
    [1e-7, 1e-8, true],
    [1e308, 0.5, true],
    [9007199254740993, 1, true],
    [-6, 4, false],
    [19.995, 0.01, false],
    [1e308, 0.123456789, false],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
  ])("%d against multipleOf %d: %s", (value, multipleOf, valid) => {
    expect(accepts({ multipleOf }, value)).toBe(valid);
  });
});

describe("§5 own properties", () => {
  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "%s is judged like any other",
    (name) => {
      const object = JSON.parse(`{"${name}": "text"}`);
      const properties = JSON.parse(`{"${name}": {"type": "integer"}}`);
      expect(accepts({ required: [name] }, {})).toBe(false);
      expect(accepts({ required: [name] }, object)).toBe(true);
      expect(accepts({ properties }, {})).toBe(true);
      expect(accepts({ properties }, object)).toBe(false);
      expect(accepts({ properties: {}, additionalProperties: false }, object)).toBe(false);
      expect(
        accepts({ properties, additionalProperties: false }, JSON.parse(`{"${name}": 1}`)),
      ).toBe(true);
    },
  );
});

describe("§5 isolation", () => {
  test("one schema's $id is nothing to another, whatever came before", () => {
    const compiler = createSchemaCompiler();
    const $id = "https://example.com/input.json";
    const types = ["string", "integer", "boolean"];
    const all = types.map((type) =>
      compiler.compile({ $id, $defs: { x: { type } }, $ref: "#/$defs/x" }),
    );
    const verdicts = all.map((one) =>
      ["a", 1, true].map((value) => (one as Compiled).validate(value).valid),
    );
    expect(verdicts).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  test("a schema can't refer to one compiled before", () => {
    const compiler = createSchemaCompiler();
    compiler.compile({ $id: "https://example.com/a.json", type: "string" });
    expect(compiler.compile({ $ref: "https://example.com/a.json" })).toHaveProperty("problems");
    expect(compiler.compile({ properties: { a: { $ref: "#" } } })).toHaveProperty("validate");
  });

  test("dynamic references keep to their schema too", () => {
    const compiler = createSchemaCompiler();
    const schema = (type: string) => ({
      $id: "https://example.com/tree",
      $dynamicAnchor: "node",
      properties: { next: { $dynamicRef: "#node" }, value: { type } },
      $defs: { other: { $id: "other", $dynamicAnchor: "node" } },
    });
    const [text, number] = ["string", "number"].map(
      (type) => compiler.compile(schema(type)) as Compiled,
    );
    expect(text!.validate({ next: { value: "a" } }).valid).toBe(true);
    expect(number!.validate({ next: { value: "a" } }).valid).toBe(false);
  });

  test("equal schemas share a validator", () => {
    const compiler = createSchemaCompiler();
    const [a, b] = [1, 2].map(() => compiler.compile({ type: "string" }) as Compiled);
    expect(a!.validate).toBe(b!.validate);
    expect(compiler.compile({ type: "string" }, { fillDefaults: true })).not.toBe(a);
  });

  test("the schema given is left as it was", () => {
    const schema = Object.freeze({
      $id: "a",
      nullable: true,
      $ref: "#/$defs/x",
      $defs: { x: { title: "x" } },
    });
    const before = structuredClone(schema);
    compile(schema, { fillDefaults: true });
    expect(schema).toEqual(before);
  });
});

describe("§5 references", () => {
  test.each([
    ["a pointer", { $ref: "#/$defs/a~1b%25c", $defs: { "a/b%c": { type: "string" } } }],
    ["an anchor", { $ref: "#x", $defs: { a: { $anchor: "x", type: "string" } } }],
    ["a relative $id", { $ref: "a", $defs: { a: { $id: "a", type: "string" } } }],
    ["an absolute $id", { $ref: "urn:x:y", $defs: { a: { $id: "urn:x:y", type: "string" } } }],
    [
      "a place that no keyword names",
      { $ref: "#/x-types/a", "x-types": { a: { type: "string" } } },
    ],
    [
      "an old anchor",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        allOf: [{ $ref: "#x" }],
        definitions: { a: { $id: "#x", type: "string" } },
      },
    ],
    [
      "draft-04's id",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        allOf: [{ $ref: "a" }],
        definitions: { a: { id: "a", type: "string" } },
      },
    ],
    [
      "a boolean schema",
      { anyOf: [{ type: "string" }, { $ref: "#/$defs/no" }], $defs: { no: false } },
    ],
    [
      "a resource within",
      {
        $id: "https://example.com/r",
        $ref: "in",
        $defs: { a: { $id: "in", $ref: "#/$defs/b", $defs: { b: { type: "string" } } }, b: false },
      },
    ],
  ])("to %s", (_name, schema) => {
    expect(accepts(schema, "text")).toBe(true);
    expect(accepts(schema, 1)).toBe(false);
  });

  test.each([
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ])("to the metaschema %s, from any draft", ($ref) => {
    for (const $schema of [
      undefined,
      "http://json-schema.org/draft-07/schema#",
      "http://json-schema.org/draft-04/schema#",
    ]) {
      const schema = { $schema, properties: { input: { $ref } } };
      expect(accepts(schema, { input: { type: "object" } })).toBe(true);
      expect(accepts(schema, { input: { type: "dict" } })).toBe(false);
    }
  });

  test("what can't be resolved is named with its place, all at once", () => {
    const properties = {
      a: { $ref: "https://example.com/a.json#/x" },
      b: { $ref: "#/$defs/missing" },
      c: { $ref: "#nowhere" },
      d: { $ref: "constructor" },
    };
    expect(problems({ properties })).toEqual([
      '/properties/a/$ref: $ref "https://example.com/a.json#/x" leads outside the schema; nothing is fetched: put its target under $defs',
      '/properties/b/$ref: $ref "#/$defs/missing" leads to nothing in the schema',
      '/properties/c/$ref: $ref "#nowhere" leads to nothing in the schema',
      '/properties/d/$ref: $ref "constructor" leads outside the schema; nothing is fetched: put its target under $defs',
    ]);
  });
});

describe("§5 what is really broken", () => {
  test.each([[null], ["string"], [5], [[]], [undefined]])("%j is no schema", (schema) => {
    expect(problems(schema)).toEqual(["a schema must be an object, true or false"]);
  });

  test("a schema that isn't JSON", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.properties = { cyclic };
    expect(problems(cyclic)[0]).toMatch(/^the schema can't be written as JSON: /);
  });

  test.each([
    ["dict", 'use "object"'],
    ["float", 'use "number"'],
    ["String", 'use "string"'],
    ["list[str]", 'use "array"'],
    ["any", "leave `type` out to allow any value"],
    ["blob", "use one of array, boolean, integer, null, number, object, string"],
  ])("type %s", (type, hint) => {
    expect(problems({ properties: { "a/b": { type } } })).toEqual([
      `/properties/a~1b/type: "${type}" is not a type of JSON Schema; ${hint}`,
    ]);
    expect(problems({ type: ["null", type] })[0]).toContain("/type/1: ");
  });

  test("every reason at once", () => {
    const schema = {
      type: "dict",
      required: "a",
      properties: { a: { minLength: -1, pattern: "(" }, b: { $ref: "#/nowhere" }, c: 5 },
    };
    const found = problems(schema).map((problem) => problem.split(":")[0]);
    expect(found).toEqual([
      "/type",
      "/required",
      "/properties",
      "/properties/a/minLength",
      "/properties/a/pattern",
      "/properties/b/$ref",
    ]);
  });

  test("an input nested too deeply to be compiled", () => {
    let schema: unknown = { type: "string" };
    for (let i = 0; i < 3_000; i++) schema = { not: schema };
    expect(problems(schema)).toHaveLength(1);
  });

  test("a runtime that forbids generating code says so", () => {
    const original = globalThis.Function;
    try {
      globalThis.Function = function Function() {
        throw new EvalError("Code generation from strings disallowed for this context");
      } as unknown as FunctionConstructor;
      expect(problems({ type: "string" })).toEqual([
        "this runtime forbids generating code, which compiling a schema takes",
      ]);
    } finally {
      globalThis.Function = original;
    }
  });
});

describe("boolean schemas", () => {
  test("true takes anything, false nothing", () => {
    expect(accepts(true, null)).toBe(true);
    expect(accepts({}, null)).toBe(true);
    expect(issues(compile(false).validate(1))).toEqual([
      {
        instancePath: "",
        schemaPath: "#/false schema",
        keyword: "false schema",
        params: {},
        message: "boolean schema is false",
      },
    ]);
  });
});

describe("issues", () => {
  test("are ajv's, all of them", () => {
    const { validate } = compile({
      required: ["a"],
      properties: { b: { type: "string" }, c: { enum: [1, 2] }, d: { minimum: 3 } },
      additionalProperties: false,
    });
    expect(issues(validate({ b: 1, c: 3, d: 0, "e/f": 0 }))).toEqual([
      {
        instancePath: "",
        schemaPath: "#/required",
        keyword: "required",
        params: { missingProperty: "a" },
        message: "must have required property 'a'",
      },
      {
        instancePath: "",
        schemaPath: "#/additionalProperties",
        keyword: "additionalProperties",
        params: { additionalProperty: "e/f" },
        message: "must NOT have additional properties",
      },
      {
        instancePath: "/b",
        schemaPath: "#/properties/b/type",
        keyword: "type",
        params: { type: "string" },
        message: "must be string",
      },
      {
        instancePath: "/c",
        schemaPath: "#/properties/c/enum",
        keyword: "enum",
        params: { allowedValues: [1, 2] },
        message: "must be equal to one of the allowed values",
      },
      {
        instancePath: "/d",
        schemaPath: "#/properties/d/minimum",
        keyword: "minimum",
        params: { comparison: ">=", limit: 3 },
        message: "must be >= 3",
      },
    ]);
  });

  test("are of a size fit to send, whatever their schema or the caller's names", () => {
    const values = Array.from({ length: 10_000 }, (_item, i) => `value-${i}`);
    const { validate } = compile({
      properties: { a: { enum: values } },
      additionalProperties: { type: "string" },
    });
    const found = issues(validate({ a: "x", ["n".repeat(1_000_000)]: 1 }));
    expect(found.map(({ keyword }) => keyword).toSorted()).toEqual(["enum", "type"]);
    expect(JSON.stringify(found).length).toBeLessThan(20_000);
    const allowed = found.find(({ keyword }) => keyword === "enum")!.params!
      .allowedValues as string[];
    expect(allowed.slice(0, 2)).toEqual(["value-0", "value-1"]);
  });
});

describe("§5 validation ends", () => {
  const deep = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

  test("a schema that refers to itself without end", () => {
    for (const schema of [
      { $ref: "#" },
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    ]) {
      const result = createSchemaCompiler().compile(schema, { fillDefaults: true });
      if ("problems" in result) expect(result.problems).toHaveLength(1);
      else expect(issues(result.validate({}))).toHaveLength(1);
    }
  });

  test("a deep input", () => {
    const { validate } = compile({ items: { $ref: "#" } }, { fillDefaults: true });
    expect(issues(validate(deep(200_000)))).toEqual([
      { instancePath: "", message: "must not be nested too deeply to be validated" },
    ]);
    expect(validate(deep(100)).valid).toBe(true);
    expect(accepts({ uniqueItems: true }, [deep(200_000), deep(200_000)])).toBe(false);
    expect(accepts({ type: "array" }, deep(200_000))).toBe(true);
  });

  test("a deep input whose defaults are filled", () => {
    const schema = { properties: { next: { $ref: "#" }, depth: { default: 0 } } };
    const { validate } = compile(schema, { fillDefaults: true });
    let value: Record<string, unknown> = {};
    for (let i = 0; i < 100_000; i++) value = { next: value };
    expect(validate(value).valid).toBe(false);
    expect(Object.keys(value)).toEqual(["next"]);
  });
});

test("pack code that replaces globals doesn't change a verdict", () => {
  const schema = {
    properties: {
      a: { type: "array", uniqueItems: true },
      n: { type: "number" },
      d: { default: [1] },
    },
    additionalProperties: { type: "string" },
  };
  const { validate } = compile(schema, { fillDefaults: true });
  const { isArray } = Array;
  const { keys } = Object;
  const { stringify } = JSON;
  const { isFinite } = globalThis;
  const restore = () => {
    Object.assign(Array, { isArray });
    Object.assign(Object, { keys });
    Object.assign(JSON, { stringify });
    Object.assign(globalThis, { isFinite });
  };
  try {
    Array.isArray = (() => false) as never;
    Object.keys = () => [];
    JSON.stringify = (() => "null") as never;
    globalThis.isFinite = () => false;
    const verdicts = [{ a: [1, {}], n: 1, z: "x" }, { a: [{}, {}] }, { n: "1" }, { z: 1 }].map(
      validate,
    );
    restore();
    expect(verdicts.map(({ valid }) => valid)).toEqual([true, false, false, false]);
    expect(verdicts[0]).toEqual({ valid: true, value: { a: [1, {}], n: 1, z: "x", d: [1] } });
  } finally {
    restore();
  }
});
