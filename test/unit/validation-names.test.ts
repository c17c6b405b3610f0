import fc from "fast-check";
import { expect, test } from "vitest";
import { writeValidatorCode } from "../../adapters/compile/validator-code.ts";
import { type Compiled, createSchemaCompiler } from "../../src/validation.ts";

/** Names that every object inherits, and others that code likes to look for. */
const NAMES = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "then",
  "toJSON",
  "length",
];

/** The name that a schema and its input are written with; any other must then do as well. */
const PLAIN = "plainName";

const name = fc.constantFrom(PLAIN, PLAIN, "a", "b");
const names = fc.uniqueArray(name, { maxLength: 3 });
const namePattern = fc.constantFrom(PLAIN, `^${PLAIN}$`, `(?:${PLAIN})`, "^a", ".");

const mapOf = (keys: fc.Arbitrary<string>, schema: fc.Arbitrary<unknown>) =>
  fc.dictionary(keys, schema, { maxKeys: 3, noNullPrototype: true });

const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<unknown>(true, false, { type: "string" }, { type: "integer" }),
    fc.record(
      {
        type: fc.constantFrom("object", ["object", "string"]),
        properties: mapOf(name, tie("schema")),
        patternProperties: mapOf(namePattern, tie("schema")),
        additionalProperties: tie("schema"),
        unevaluatedProperties: fc.oneof(fc.constant(false), tie("schema")),
        propertyNames: fc.constantFrom(
          { const: PLAIN },
          { enum: [PLAIN, "a"] },
          { pattern: PLAIN },
        ),
        required: names,
        dependentRequired: mapOf(name, names),
        dependentSchemas: mapOf(name, tie("schema")),
        const: mapOf(name, fc.constant(1)),
        enum: fc.array(mapOf(name, fc.constant("x")), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        not: tie("schema"),
        if: tie("schema"),
        then: tie("schema"),
        default: fc.constantFrom<unknown>(1, "x", {}),
        $ref: fc.constant(`#/$defs/${PLAIN}`),
        minProperties: fc.constant(1),
        maxProperties: fc.constant(1),
      },
      { requiredKeys: [] },
    ),
  ),
}));

/** The same for draft-07, which has `dependencies`. */
const olderSchemas = fc
  .tuple(mapOf(name, fc.oneof(names, schemas)), schemas)
  .map(([dependencies, inner]) => ({
    $schema: "http://json-schema.org/draft-07/schema#",
    dependencies,
    allOf: [inner],
  }));

const roots = fc.tuple(fc.oneof(schemas, olderSchemas), schemas).map(([root, defined]) => ({
  ...(typeof root === "object" ? root : { allOf: [root] }),
  $defs: { [PLAIN]: defined },
}));

const { input: inputs } = fc.letrec((tie) => ({
  input: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(1, "x", PLAIN, null),
    mapOf(name, tie("input")),
  ),
}));

const compiler = createSchemaCompiler();

function outcomeOf(schemaText: string, inputText: string): unknown {
  const compiled = compiler.compile(JSON.parse(schemaText), { fillDefaults: true });
  if ("problems" in compiled) return `${compiled.problems.length} problems`;
  const verdict = compiled.validate(JSON.parse(inputText));
  return verdict.valid ? JSON.stringify(verdict.value) : "invalid";
}

test("§5 whatever the name, what has it is judged alike", () => {
  const samples = fc.array(inputs, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), roots, samples, (other, root, values) => {
      const renamed = (text: string) => text.replaceAll(PLAIN, other);
      const schema = JSON.stringify(root);
      for (const value of values.map((input) => JSON.stringify(input))) {
        const expected = renamed(String(outcomeOf(schema, value)));
        expect(outcomeOf(renamed(schema), renamed(value))).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});

test.each(NAMES)("§5 %s is not evaluated because every object inherits it", (other) => {
  const named = (text: string) => JSON.parse(text.replaceAll(PLAIN, other));
  const judge = (schema: string, input: string) =>
    (compiler.compile(named(schema)) as Compiled).validate(named(input)).valid;
  const dynamic = `{"patternProperties":{"^a":true},"unevaluatedProperties":false}`;
  expect(judge(dynamic, `{"${PLAIN}":1}`)).toBe(false);
  expect(judge(dynamic, `{"a":1}`)).toBe(true);
  const branches = `{"anyOf":[{"properties":{"${PLAIN}":true}},{"required":["a"]}],"unevaluatedProperties":false}`;
  expect(judge(branches, `{"${PLAIN}":1}`)).toBe(true);
  expect(judge(branches, `{"b":1,"${PLAIN}":1}`)).toBe(false);
  const pattern = `{"patternProperties":{"${PLAIN}":false}}`;
  expect(judge(pattern, `{"${PLAIN}":1}`)).toBe(false);
  const older = `"$schema":"http://json-schema.org/draft-07/schema#"`;
  expect(judge(`{${older},"dependencies":{"${PLAIN}":["b"]}}`, `{"${PLAIN}":1}`)).toBe(false);
  expect(judge(`{${older},"dependencies":{"${PLAIN}":false}}`, `{"${PLAIN}":1}`)).toBe(false);
  expect(judge(`{${older},"dependencies":{"${PLAIN}":false}}`, `"text"`)).toBe(true);
});

test.each([
  ["required", { required: ["a", "b"] }],
  ["properties", { properties: { a: { type: "number" } } }],
  ["both", { properties: { a: { type: "number" } }, required: ["a"] }],
])("a validator of %s asks for a member before it reads it", (_name, schema) => {
  const compiled = createSchemaCompiler({ writeCode: writeValidatorCode }).compile(schema);
  const { check } = (compiled as Compiled).code!;
  expect(check).toContain('"a" in data');
  expect(check).not.toMatch(/data\d*\.a [!=]== undefined/);
});
