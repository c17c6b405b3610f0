import { hasOwn, pointerSegments, stringifyJson } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { createFill } from "./schema/fill.ts";
import { decodeFill } from "./schema/fill-data.ts";
import type { FillData } from "./schema/fill-data.ts";
import { createRuntime } from "./schema/runtime.ts";
import type { Runtime } from "./schema/runtime.ts";
import { constantValidator, createValidator } from "./schema/validator.ts";
import type { Check, Validate } from "./schema/validator.ts";
import type { Compiled, SchemaCompiler } from "./validation.ts";

/** A schema of an index, compiled ahead of time. */
export interface PrecompiledSchema {
  /** JSON Pointer into the index. Equal schemas are compiled once, at the first's place. */
  at: string;
  /** Whether its validator fills defaults, as an input's does. */
  fillsDefaults: boolean;
  /** What judges a value, or the verdict of a schema that is `true` or `false`. */
  check: Check | boolean;
  fill?: FillData | undefined;
  annotations: readonly string[];
  warnings: readonly string[];
}

/** Makes the schemas that were compiled with an index, over the runtime that their code refers to. */
export type CreateSchemas = (runtime: Runtime) => readonly PrecompiledSchema[];

/** Finds the validators of an index's schemas among those that were compiled with it. */
export function findPrecompiled(index: unknown, createSchemas: CreateSchemas): SchemaCompiler {
  const runtime = createRuntime();
  const compiled = new Map<string, Compiled>();
  for (const schema of createSchemas(runtime)) {
    const { annotations, warnings } = schema;
    const key = keyOf(valueAt(index, schema.at), schema.fillsDefaults);
    compiled.set(key, { validate: validatorOf(schema, runtime), annotations, warnings });
  }
  return {
    compile: (schema, { fillDefaults = false } = {}) =>
      compiled.get(keyOf(schema, fillDefaults)) ?? {
        problems: ["the schema is not the one that was compiled: compile the pack again"],
      },
  };
}

function keyOf(schema: unknown, fillsDefaults: boolean): string {
  return `${fillsDefaults} ${stringifyJson(schema)}`;
}

function valueAt(index: unknown, pointer: string): unknown {
  return pointerSegments(pointer).reduce<unknown>((value, segment) => {
    const isThere = typeof value === "object" && value !== null && hasOwn(value, segment);
    return isThere ? (value as JsonObject)[segment] : undefined;
  }, index);
}

function validatorOf({ check, fill }: PrecompiledSchema, { patternOf }: Runtime): Validate {
  if (typeof check === "boolean") return constantValidator(check);
  return createValidator(check, fill && createFill(decodeFill(fill, patternOf)));
}
