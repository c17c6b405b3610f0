import type { Dialect } from "./dialect.ts";
import { isArray, isObject, keysOf } from "../json.ts";

/**
 * What the value of a keyword must be, as the metaschemas have it; undefined when it is that. Milder than draft-04's and
 * draft-06's in this: an `enum` may be empty or repeat itself, a `required` may be empty.
 */
type Shape = (value: unknown, dialect: Dialect) => string | undefined;

const string: Shape = (value) => (typeof value === "string" ? undefined : "must be a string");
const boolean: Shape = (value) =>
  typeof value === "boolean" ? undefined : "must be true or false";
const array: Shape = (value) => (isArray(value) ? undefined : "must be an array");
const number: Shape = (value) =>
  typeof value === "number" && Number.isFinite(value) ? undefined : "must be a number";
const positive: Shape = (value) =>
  number(value, "2020-12") === undefined && (value as number) > 0
    ? undefined
    : "must be a number above 0";
const count: Shape = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : "must be an integer of 0 or more";

const schema: Shape = (value, dialect) => {
  if (isObject(value) || (typeof value === "boolean" && dialect !== "draft-04")) return undefined;
  return dialect === "draft-04"
    ? "must be a schema (an object)"
    : "must be a schema (an object, true or false)";
};
const schemaOrBoolean: Shape = (value) => schema(value, "2020-12");
const schemas: Shape = (value, dialect) => {
  if (!isArray(value) || value.length === 0) return "must be an array of one or more schemas";
  return firstOf(value, (item) => schema(item, dialect));
};
const schemaMap: Shape = (value, dialect) => {
  if (!isObject(value)) return "must be an object of schemas";
  return firstOf(
    keysOf(value),
    (key) => schema(value[key], dialect),
    (key) => key,
  );
};
const strings: Shape = (value) => {
  const fits = isArray(value) && value.every((item) => typeof item === "string");
  return fits && new Set(value).size === value.length
    ? undefined
    : "must be an array of different strings";
};
const dependencies: Shape = (value, dialect) => {
  if (!isObject(value)) return "must be an object";
  const check = (key: string): string | undefined =>
    isArray(value[key]) ? strings(value[key], dialect) : schema(value[key], dialect);
  return firstOf(keysOf(value), check, (key) => key);
};
const dependentRequired: Shape = (value, dialect) => {
  if (!isObject(value)) return "must be an object of arrays of strings";
  return firstOf(
    keysOf(value),
    (key) => strings(value[key], dialect),
    (key) => key,
  );
};
const items: Shape = (value, dialect) =>
  isArray(value) && dialect !== "2020-12" ? schemas(value, dialect) : schema(value, dialect);
const type: Shape = (value) => {
  const fits =
    typeof value === "string" || (strings(value, "2020-12") === undefined && value !== undefined);
  const empty = isArray(value) && value.length === 0;
  return fits && !empty ? undefined : "must be the name of a type or an array of different ones";
};
const limit: Shape = (value, dialect) =>
  dialect === "draft-04" ? boolean(value, dialect) : number(value, dialect);
type Since = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

const SHAPES: Readonly<Record<Since, Readonly<Record<string, Shape>>>> = {
  "draft-04": {
    $ref: string,
    $schema: string,
    additionalItems: schemaOrBoolean,
    allOf: schemas,
    anyOf: schemas,
    additionalProperties: schemaOrBoolean,
    definitions: schemaMap,
    dependencies,
    description: string,
    enum: array,
    exclusiveMaximum: limit,
    exclusiveMinimum: limit,
    format: string,
    items,
    maxItems: count,
    maxLength: count,
    maxProperties: count,
    maximum: number,
    minItems: count,
    minLength: count,
    minProperties: count,
    minimum: number,
    multipleOf: positive,
    not: schema,
    oneOf: schemas,
    pattern: string,
    patternProperties: schemaMap,
    properties: schemaMap,
    required: strings,
    title: string,
    type,
    uniqueItems: boolean,
  },
  "draft-06": { $id: string, contains: schema, examples: array, propertyNames: schema },
  "draft-07": {
    $comment: string,
    contentEncoding: string,
    contentMediaType: string,
    else: schema,
    if: schema,
    readOnly: boolean,
    then: schema,
  },
  "2019-09": {
    $anchor: string,
    $defs: schemaMap,
    $recursiveAnchor: boolean,
    $recursiveRef: string,
    dependentRequired,
    dependentSchemas: schemaMap,
    deprecated: boolean,
    maxContains: count,
    minContains: count,
    unevaluatedItems: schema,
    unevaluatedProperties: schema,
    writeOnly: boolean,
  },
  "2020-12": { $dynamicAnchor: string, $dynamicRef: string, prefixItems: schemas },
};

const ORDER: readonly Since[] = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"];

const KEYWORDS = new Map(
  ORDER.map((dialect, i) => {
    const known = ORDER.slice(0, i + 1).flatMap((since) => Object.entries(SHAPES[since]));
    return [dialect, new Map(known)] as const;
  }),
);

/** Keywords whose value may be anything, those that name a schema, and those read wherever they stand. */
const EXTRA: Readonly<Record<Since, readonly string[]>> = {
  "draft-04": ["$defs", "default", "id", "nullable"],
  "draft-06": ["const"],
  "draft-07": [],
  "2019-09": ["$vocabulary", "contentSchema"],
  "2020-12": [],
};

/** Whether a dialect has a keyword. Containers of definitions count in all of them, as does OpenAPI's `nullable`. */
export function isKeyword(dialect: Dialect, keyword: string): boolean {
  if (keyword === "id") return dialect === "draft-04";
  if (keyword === "additionalItems") return dialect !== "2020-12";
  const known = ORDER.slice(0, ORDER.indexOf(dialect) + 1);
  return (
    KEYWORDS.get(dialect)!.has(keyword) || known.some((since) => EXTRA[since].includes(keyword))
  );
}

/** Why the value of a keyword is not of the shape that a dialect's metaschema asks for, or undefined. */
export function shapeProblem(
  dialect: Dialect,
  keyword: string,
  value: unknown,
): string | undefined {
  if (keyword === "id" && dialect === "draft-04") return string(value, dialect);
  if (!isKeyword(dialect, keyword)) return undefined;
  return KEYWORDS.get(dialect)!.get(keyword)?.(value, dialect);
}

function firstOf<T>(
  list: readonly T[],
  check: (item: T) => string | undefined,
  name: (item: T, i: number) => unknown = (_item, i) => i,
): string | undefined {
  for (const [i, item] of list.entries()) {
    const problem = check(item);
    if (problem !== undefined) return `${problem} at ${JSON.stringify(name(item, i))}`;
  }
  return undefined;
}
