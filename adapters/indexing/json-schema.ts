import { createRequire } from "node:module";
import { isObject } from "../../src/json.ts";
import { thrownMessage } from "../../src/thrown.ts";
import { plainJson } from "./plain-json.ts";

export type JsonSchemaResult = { schema: unknown } | { problem: string };

/** What a Standard Schema tells of itself. */
interface Standard {
  vendor?: unknown;
  jsonSchema?: unknown;
}

type Convert = (schema: unknown, file: string) => unknown;

const TARGET = "draft-2020-12";

/** Libraries whose schemas don't bring the Standard JSON Schema specification's converter. */
const VENDORS: ReadonlyMap<unknown, Convert> = new Map<unknown, Convert>([
  ["valibot", convertValibot],
  ["arktype", convertArkType],
]);

/** Whether a value is a Standard Schema, of whatever library. ArkType's are functions. */
export function isStandardSchema(value: unknown): boolean {
  return standardOf(value) !== undefined;
}

/**
 * The JSON Schema of what a schema accepts, before it transforms anything: for both sides of a tool, since nobody but the
 * handler's own model runs a transform. A JSON Schema is taken as it is.
 *
 * @param file the module that the schema is from; a converter beside its library is loaded from there
 */
export function jsonSchemaOf(schema: unknown, file: string): JsonSchemaResult {
  const standard = standardOf(schema);
  if (standard === undefined) return written(schema);
  try {
    return written(convert(schema, standard, file));
  } catch (error) {
    const library = typeof standard.vendor === "string" ? standard.vendor : "its library";
    return { problem: `has no JSON Schema, ${library} says: ${thrownMessage(error)}` };
  }
}

function convert(schema: unknown, standard: Standard, file: string): unknown {
  const { jsonSchema, vendor } = standard;
  if (isObject(jsonSchema) && typeof jsonSchema.input === "function") {
    return jsonSchema.input({ target: TARGET }) as unknown;
  }
  const convertVendor = VENDORS.get(vendor);
  if (convertVendor) return convertVendor(schema, file);
  const ways =
    "use a version that implements Standard JSON Schema (Zod 4.2 does), or write a JSON Schema";
  throw new Error(`this version brings no JSON Schema along; ${ways}`);
}

function convertValibot(schema: unknown, file: string): unknown {
  const name = "@valibot/to-json-schema";
  let converter: { toJsonSchema: (schema: unknown, options: object) => unknown };
  try {
    converter = createRequire(file)(name) as typeof converter;
  } catch (error) {
    throw new Error(`install ${name} beside valibot (${thrownMessage(error)})`, { cause: error });
  }
  return converter.toJsonSchema(schema, { typeMode: "input", target: TARGET, errorMode: "throw" });
}

function convertArkType(schema: unknown): unknown {
  return (schema as { in: { toJsonSchema: () => unknown } }).in.toJsonSchema();
}

function written(schema: unknown): JsonSchemaResult {
  const copy = plainJson(schema);
  return "json" in copy ? { schema: copy.json } : { problem: `is no JSON Schema: ${copy.problem}` };
}

function standardOf(value: unknown): Standard | undefined {
  if (typeof value !== "function" && !isObject(value)) return undefined;
  const standard = (value as { "~standard"?: unknown })["~standard"];
  return isObject(standard) ? standard : undefined;
}
