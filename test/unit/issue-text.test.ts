import { expect, test } from "vitest";
import { issueText } from "../../adapters/issue-text.ts";
import { errorsByField } from "../../page/src/issues.ts";
import { createSchemaCompiler } from "../../src/validation.ts";

const object = { type: "object" };

test.each([
  [{ ...object, properties: { a: {} }, additionalProperties: false }, { more: 1 }, '"more"'],
  [{ ...object, unevaluatedProperties: false }, { more: 1 }, '"more"'],
  [{ ...object, propertyNames: { maxLength: 2 } }, { more: 1 }, '"more"'],
  [{ ...object, required: ["more"] }, {}, "more"],
  [{ enum: ["a", "b"] }, "c", '"a", "b"'],
  [{ const: "a" }, "c", '"a"'],
])("names what %j misses in %j, in the terminal and on the page", (schema, value, name) => {
  const compiled = createSchemaCompiler().compile(schema);
  const verdict = "validate" in compiled ? compiled.validate(value) : undefined;
  const issues = verdict?.valid === false ? verdict.issues : [];
  expect(issues.map(issueText).join("\n")).toContain(name);
  expect(JSON.stringify(errorsByField(issues))).toContain(JSON.stringify(name).slice(1, -1));
});
