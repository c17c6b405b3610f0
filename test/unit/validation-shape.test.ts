import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import Draft04 from "ajv-draft-04";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Dialect, DIALECTS, METASCHEMAS } from "../../src/schema/dialect.ts";
import { readSchema } from "../../src/schema/document.ts";

const options = { strict: false, logger: false, validateFormats: false } as const;
const metaschemas: Record<Dialect, { validate: (id: string, data: unknown) => unknown }> = {
  "2020-12": new Ajv2020(options),
  "2019-09": new Ajv2019(options),
  "draft-07": new Ajv(options),
  "draft-06": new Ajv(options).addMetaSchema(draft06),
  "draft-04": new Draft04(options),
};

const anything = fc.oneof(
  fc.constantFrom(true, false, null, 0, 1, -1, 2.5, "", "a", "string", "dict", [], {}),
  fc.constantFrom(
    [{}],
    [true],
    ["a"],
    ["a", "a"],
    ["string", "null"],
    [1],
    { a: {} },
    { a: true },
    { a: ["b"] },
    { a: 1 },
    { a: [1] },
  ),
);
const keywords = [
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "const",
  "contains",
  "default",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "deprecated",
  "description",
  "else",
  "examples",
  "exclusiveMaximum",
  "if",
  "items",
  "maxContains",
  "maxItems",
  "maximum",
  "minLength",
  "multipleOf",
  "not",
  "oneOf",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "readOnly",
  "then",
  "title",
  "type",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
  "writeOnly",
  "$comment",
  "definitions",
  "$defs",
  "contentMediaType",
  "exclusiveMinimum",
];
const schema = fc.dictionary(fc.constantFrom(...keywords), anything, { minKeys: 1, maxKeys: 2 });

test.each(DIALECTS)("a schema is misshapen exactly where %s's metaschema refuses it", (dialect) => {
  fc.assert(
    fc.property(schema, (value) => {
      // Draft-04 asks for a limit beside these; alone they just say nothing.
      fc.pre(
        dialect !== "draft-04" || !("exclusiveMinimum" in value || "exclusiveMaximum" in value),
      );
      const valid = metaschemas[dialect].validate(METASCHEMAS[dialect], value);
      const read = readSchema(JSON.parse(JSON.stringify(value)), {
        dialect,
        patternError: () => undefined,
      });
      expect([value, read.problems, read.misshapen === 0]).toEqual([value, read.problems, valid]);
    }),
    { numRuns: 3_000 },
  );
});

test.each(DIALECTS)(
  "in %s an enum may be empty or repeat itself, a required may be empty",
  (dialect) => {
    const options = { dialect, patternError: () => undefined };
    for (const value of [{ enum: [] }, { enum: [1, 1] }, { required: [] }]) {
      expect(readSchema(value, options).misshapen).toBe(0);
    }
    for (const value of [{ enum: 1 }, { required: "a" }, { required: ["a", "a"] }, { format: 1 }]) {
      expect(readSchema(value, options).misshapen).toBe(1);
    }
  },
);
