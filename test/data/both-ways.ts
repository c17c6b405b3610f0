import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { compileSchemas } from "../../adapters/compile/worker-source.ts";
import { findPrecompiled } from "../../src/precompiled-schemas.ts";
import type { CreateSchemas } from "../../src/precompiled-schemas.ts";
import type { PackIndex } from "../../src/pack-index.ts";
import { createSchemaCompiler } from "../../src/validation.ts";
import type { CompileResult, SchemaCompiler } from "../../src/validation.ts";
import { TEMPORARY_PREFIX } from "../contract/packs.ts";

/** A schema's validators, at run time and ahead of time, without filling defaults and with. */
export interface BothWays {
  id: string;
  pairs: readonly (readonly [atRunTime: CompileResult, aheadOfTime: CompileResult])[];
}

/** Compiles schemas at run time, and ahead of time as `pack-handler compile` does. */
export async function compileBothWays(
  schemas: readonly { id: string; schema: unknown }[],
): Promise<BothWays[]> {
  const tools = schemas.map(({ id, schema }) => ({
    id,
    input: schema,
    output: schema,
    modulePath: "tool.mjs",
  }));
  const index: PackIndex = {
    v: 1,
    packId: "both-ways",
    packVersion: "1",
    artifactVersion: "1",
    tools,
    guardrails: [],
  };
  // A worker gets its index as text.
  const parsed = JSON.parse(JSON.stringify(index)) as PackIndex;
  const aheadOfTime = findPrecompiled(parsed, await loadModule(compileSchemas(index).text));
  const atRunTime = createSchemaCompiler();
  return schemas.map(({ id, schema }) => ({
    id,
    pairs: [false, true].map((fillDefaults) => {
      const options = { fillDefaults };
      const compile = (compiler: SchemaCompiler) => compiler.compile(schema, options);
      return [compile(atRunTime), compile(aheadOfTime)] as const;
    }),
  }));
}

/** Written code as a module, so that its imports and its strictness are a worker's. */
async function loadModule(text: string): Promise<CreateSchemas> {
  const folder = mkdtempSync(join(tmpdir(), TEMPORARY_PREFIX));
  const file = join(folder, "schemas.mjs");
  try {
    writeFileSync(file, `export default ${text};`);
    return ((await import(pathToFileURL(file).href)) as { default: CreateSchemas }).default;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Expects the same of both: whether there is a validator, what is said of the schema, and every verdict. */
export function expectSame({ id, pairs }: BothWays, values: readonly string[]): void {
  for (const [atRunTime, aheadOfTime] of pairs) {
    if ("problems" in atRunTime || "problems" in aheadOfTime) {
      expect(["problems" in aheadOfTime, id]).toEqual(["problems" in atRunTime, id]);
      continue;
    }
    const { annotations, warnings } = atRunTime;
    expect([id, aheadOfTime.annotations, aheadOfTime.warnings]).toEqual([
      id,
      annotations,
      warnings,
    ]);
    for (const text of values) {
      const value: unknown = JSON.parse(text);
      const expected = JSON.stringify(atRunTime.validate(value));
      const copy: unknown = JSON.parse(text);
      if (JSON.stringify(aheadOfTime.validate(copy)) === expected) {
        // The values have been filled alike, also where the verdict doesn't show it.
        if (JSON.stringify(copy) === JSON.stringify(value)) continue;
      }
      expect([id, text, aheadOfTime.validate(JSON.parse(text))]).toEqual([
        id,
        text,
        JSON.parse(expected),
      ]);
    }
  }
}
