import type { ValidateFunction } from "ajv";
import type { ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import type { SourceCode } from "ajv/dist/types/index.js";
import standaloneExport from "ajv/dist/standalone/index.js";
import type { WriteCode } from "../../src/validation.ts";

// A CommonJS module's default export is the module itself in some runtimes.
const standaloneCode = (
  "default" in standaloneExport ? standaloneExport.default : standaloneExport
) as WriteCode;

/** Writes a check's code without the schemas that it doesn't look at. */
export const writeValidatorCode: WriteCode = (engine, check) => {
  dropUnusedSchemas(check.source, new Set());
  return standaloneCode(engine, check);
};

function dropUnusedSchemas(source: SourceCode | undefined, seen: Set<SourceCode>): void {
  if (source === undefined || seen.has(source)) return;
  seen.add(source);
  const { schema, ...others } = source.scopeValues;
  for (const name of schema ?? []) {
    if (!new RegExp(`\\b${name.str}\\b`).test(source.validateCode)) schema!.delete(name);
  }
  for (const names of Object.values(others)) {
    for (const name of names ?? []) dropUnusedSchemas(sourceOf(name), seen);
  }
}

/** The code behind a name that stands for another check. */
function sourceOf({ value }: ValueScopeName): SourceCode | undefined {
  const { ref } = value ?? {};
  if (typeof ref === "function") return (ref as ValidateFunction).source;
  return (ref as { validate?: ValidateFunction } | undefined)?.validate?.source;
}
