import type { JsonObject } from "../../src/json.ts";
import type { GuardrailEntry, ToolEntry } from "../../src/pack-index.ts";
import type { ListName } from "./discovery.ts";
import { isStandardSchema, jsonSchemaOf } from "./json-schema.ts";
import { idProblem, textProblem } from "./names.ts";
import { plainJson } from "./plain-json.ts";

/** A definition and where it is from. */
export interface Defined {
  definition: JsonObject;
  /** Source path, relative to the pack's folder. */
  path: string;
  /** The file it was read from. */
  file: string;
}

/** Members of a tool that are data for the runtime (contract §3). */
const TOOL_DATA = [
  "effects",
  "limits",
  "mutating",
  "needs",
  "needsSpec",
  "network",
  "sandbox",
  "spec",
];

/** Members of a guardrail's definition that are its code, or become something else in the index. */
const NOT_GUARDRAIL_DATA = ["check", "config", "configSchema", "configZod", "env", "evaluate"];

/** What a guardrail is when its definition doesn't say. */
const GUARDRAIL_PRESET = { kind: "check", action: "block" };

type MakeEntry = (defined: Defined, problems: string[]) => JsonObject;

/** How a definition becomes an entry of each list. */
const MAKE_ENTRY: Readonly<Record<ListName, MakeEntry>> = {
  tools: toolEntry,
  guardrails: guardrailEntry,
  agents: dataEntry,
  flows: dataEntry,
};

/** Makes a definition's entry in a list. What is wrong with it is added to `problems`. */
export function entryOf(list: ListName, defined: Defined, problems: string[]): JsonObject {
  const members = Object.entries(MAKE_ENTRY[list](defined, problems));
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function toolEntry({ definition, path, file }: Defined, problems: string[]): ToolEntry {
  const { id, version, description, input, inputZod, output, outputZod } = definition;
  problems.push(...idProblem(id));
  if (version !== undefined) problems.push(...textProblem("version", version));
  if (description !== undefined && typeof description !== "string") {
    problems.push("description must be a text");
  }
  const entry: JsonObject = { id, version, description, modulePath: path };
  entry.input = schemaMember("input", input ?? inputZod, file, problems);
  entry.output = schemaMember("output", output ?? outputZod, file, problems);
  for (const name of TOOL_DATA) entry[name] = dataMember(name, definition[name], problems);
  return entry as ToolEntry;
}

function guardrailEntry({ definition, path, file }: Defined, problems: string[]): GuardrailEntry {
  const { id, checkId, config, configSchema, configZod } = definition;
  problems.push(...idProblem(id));
  if (checkId !== undefined) problems.push(...textProblem("checkId", checkId));
  const entry: JsonObject = { ...GUARDRAIL_PRESET, checkModulePath: path };
  // A model may stand where the index has the configured value.
  const model = isStandardSchema(config) ? config : undefined;
  const schema = configSchema ?? configZod ?? model;
  if (schema !== undefined) {
    entry.configSchema = schemaMember("configSchema", schema, file, problems);
  }
  if (model === undefined) entry.config = dataMember("config", config, problems);
  for (const [name, value] of Object.entries(definition)) {
    if (!NOT_GUARDRAIL_DATA.includes(name) && value !== undefined) {
      entry[name] = dataMember(name, value, problems);
    }
  }
  return entry as GuardrailEntry;
}

function dataEntry({ definition }: Defined, problems: string[]): JsonObject {
  problems.push(...idProblem(definition.id));
  const copy = plainJson(definition);
  if ("json" in copy) return copy.json as JsonObject;
  problems.push(copy.problem);
  return definition;
}

function schemaMember(name: string, schema: unknown, file: string, problems: string[]): unknown {
  if (schema === undefined) {
    problems.push(`${name} is missing; it must be a JSON Schema or a Standard Schema`);
    return undefined;
  }
  const result = jsonSchemaOf(schema, file);
  if ("schema" in result) return result.schema;
  problems.push(`${name} ${result.problem}`);
  return undefined;
}

function dataMember(name: string, value: unknown, problems: string[]): unknown {
  if (value === undefined) return undefined;
  const copy = plainJson(value);
  if ("json" in copy) return copy.json;
  problems.push(`${name}: ${copy.problem}`);
  return undefined;
}
