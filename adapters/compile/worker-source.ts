import { stringifyJson } from "../../src/json.ts";
import { bindPack } from "../../src/pack.ts";
import type { PackIndex } from "../../src/pack-index.ts";
import { RUNTIME_NAMES } from "../../src/schema/runtime.ts";
import { createSchemaCompiler } from "../../src/validation.ts";
import type { SchemaCompiler } from "../../src/validation.ts";
import { writeValidatorCode } from "./validator-code.ts";

/** The schemas of an index as text, and what their compiler has to say. */
export interface CompiledSchemas {
  /** An expression: what makes the precompiled schemas of a pack. */
  text: string;
  problems: readonly string[];
  warnings: readonly string[];
}

export function compileSchemas(index: PackIndex): CompiledSchemas {
  const compiler = createSchemaCompiler({ writeCode: writeValidatorCode });
  const problems: string[] = [];
  const { annotations, warnings } = bindPack(index, new Map(), compiler, problems);
  const notes = annotations.map((name) => `not known, so an annotation: ${name}`);
  return { text: schemasText(index, compiler), problems, warnings: [...warnings, ...notes] };
}

/** A schema, and where it stands in the index. */
interface SchemaPlace {
  at: string;
  schema: unknown;
  fillsDefaults: boolean;
}

function schemaPlaces({ tools, guardrails }: PackIndex): SchemaPlace[] {
  return [
    ...tools.flatMap(({ input, output }, i) => [
      { at: `/tools/${i}/input`, schema: input, fillsDefaults: true },
      { at: `/tools/${i}/output`, schema: output, fillsDefaults: false },
    ]),
    ...guardrails.flatMap(({ configSchema: schema }, i) =>
      schema === undefined
        ? []
        : [{ at: `/guardrails/${i}/configSchema`, schema, fillsDefaults: false }],
    ),
  ];
}

function schemasText(index: PackIndex, compiler: SchemaCompiler): string {
  const written = new Set<object>();
  const items = schemaPlaces(index).flatMap(({ at, schema, fillsDefaults }) => {
    const compiled = compiler.compile(schema, { fillDefaults: fillsDefaults });
    if ("problems" in compiled || compiled.code === undefined || written.has(compiled)) return [];
    written.add(compiled);
    const { code, annotations, warnings } = compiled;
    const members = [
      `at: ${stringifyJson(at)}`,
      `fillsDefaults: ${fillsDefaults}`,
      `check: ${code.check}`,
      `fill: ${code.fill === undefined ? "undefined" : `parseJson(${textOf(code.fill)})`}`,
      `annotations: ${stringifyJson(annotations)}`,
      `warnings: ${stringifyJson(warnings)}`,
    ];
    return [`{ ${members.join(", ")} }`];
  });
  return `({ ${RUNTIME_NAMES.join(", ")} }) => [\n${items.join(",\n")}\n]`;
}

/** A value as JSON, as a literal of its text: in a literal of its own, a member named `__proto__` would be none. */
function textOf(value: unknown): string {
  return stringifyJson(stringifyJson(value));
}

/**
 * The source of a worker: a pack's index and compiled schemas as data, and its modules as imports.
 *
 * @param specifiers of each module, by its path in the index
 */
export function workerSource(
  index: PackIndex,
  schemas: CompiledSchemas,
  specifiers: ReadonlyMap<string, string>,
): string {
  const modules = [...specifiers].map(([path, specifier], i) => ({ path, specifier, i }));
  return `import { createWorker } from "pack-handler/edge";
import { createPrecompiledHandler } from "pack-handler/precompiled";
${modules.map(({ specifier, i }) => `import * as module${i} from ${stringifyJson(specifier)};`).join("\n")}

const index = JSON.parse(${textOf(index)});
const modules = { ${modules.map(({ path, i }) => `[${stringifyJson(path)}]: module${i}`).join(", ")} };
const createSchemas = ${schemas.text};

export const pack = { index, modules, createSchemas };
export const createHandler = (options) => createPrecompiledHandler(pack, options);
export default createWorker(pack);
`;
}
