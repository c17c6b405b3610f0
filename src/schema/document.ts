import {
  type Dialect,
  dialectOf,
  DIALECTS,
  idKeyword,
  metaschemaDialect,
  readsBesideRef,
} from "./dialect.ts";
import {
  hasOwn,
  isArray,
  isObject,
  type JsonObject,
  keysOf,
  parseJson,
  pointerSegments,
  pointerTo,
} from "../json.ts";
import { isKeyword, shapeProblem } from "./shape.ts";

/** A subschema that is an object; boolean ones need no node. */
export type SchemaNode = JsonObject;

/** A schema taken apart: what is where, what its references mean, and what is wrong with it. */
export interface SchemaDocument {
  dialect: Dialect;
  root: SchemaNode;
  /** Every subschema, with the JSON Pointer of its place. */
  nodes: Map<SchemaNode, string>;
  /** What each `$ref` leads to. */
  targets: Map<SchemaNode, SchemaNode | boolean>;
  /** Each `$ref` that leads to a metaschema, resolved. */
  metaschemas: Map<SchemaNode, string>;
  /** Whether it needs its own names: it refers dynamically. */
  needsIds: boolean;
  /** Whether a reference leads to a place that no keyword makes a subschema. */
  hasHiddenTargets: boolean;
  problems: Problem[];
  /** How many of the problems are values that the dialect's metaschema doesn't allow. */
  misshapen: number;
  /** Keywords, formats and legal patterns in the order of their appearance. */
  keywords: Set<string>;
  formats: Set<string>;
  patterns: Set<string>;
}

export interface Problem {
  pointer: string;
  text: string;
}

interface Resource {
  uri: string;
  root: SchemaNode;
}

interface Reading extends SchemaDocument {
  resources: Map<string, SchemaNode>;
  anchors: Map<string, SchemaNode>;
  resourceOf: Map<SchemaNode, Resource>;
  patternError: (pattern: string) => string | undefined;
}

export interface ReadOptions {
  dialect: Dialect;
  /** Why a pattern isn't a regular expression, or undefined. */
  patternError: (pattern: string) => string | undefined;
}

const ONE = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const LIST = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const MAP = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
const DEFINITIONS = new Set(["$defs", "definitions"]);
const DYNAMIC = ["$dynamicRef", "$recursiveRef"];
const ROOT_URI = "schema:///";

/**
 * Takes the JSON text of a schema apart as the dialect that it declares, or else, or if it isn't valid as that, as the newest
 * that it is valid in.
 */
export function readSchemaText(
  text: string,
  patternError: ReadOptions["patternError"],
): SchemaDocument {
  const { $schema } = parseJson(text) as SchemaNode;
  const declared = typeof $schema === "string" ? dialectOf($schema) : undefined;
  let best: SchemaDocument | undefined;
  for (const dialect of declared === undefined ? DIALECTS : [declared, ...DIALECTS]) {
    const document = readSchema(parseJson(text) as SchemaNode, { dialect, patternError });
    if (best === undefined || document.misshapen < best.misshapen) best = document;
    if (best.misshapen === 0) break;
  }
  return best!;
}

/** Takes a schema apart as a dialect has it. */
export function readSchema(root: SchemaNode, options: ReadOptions): SchemaDocument {
  const reading: Reading = {
    ...options,
    root,
    nodes: new Map(),
    targets: new Map(),
    metaschemas: new Map(),
    needsIds: false,
    hasHiddenTargets: false,
    problems: [],
    misshapen: 0,
    keywords: new Set(),
    formats: new Set(),
    patterns: new Set(),
    resources: new Map([[ROOT_URI, root]]),
    anchors: new Map(),
    resourceOf: new Map(),
  };
  visit(reading, root, "", { uri: ROOT_URI, root });
  // Following a reference may add nodes, whose references are then followed in the same pass.
  for (const [node, pointer] of reading.nodes) followReference(reading, node, pointer);
  for (const [node, pointer] of reading.nodes) followDynamicReference(reading, node, pointer);
  return reading;
}

function visit(reading: Reading, node: SchemaNode, pointer: string, parent: Resource): void {
  if (reading.nodes.has(node)) return;
  reading.nodes.set(node, pointer);
  const resource = identify(reading, node, parent);
  reading.resourceOf.set(node, resource);
  const onlyRef = ignoresSiblings(reading.dialect, node);
  for (const keyword of keysOf(node)) {
    reading.keywords.add(keyword);
    if (onlyRef && keyword !== "$ref" && !DEFINITIONS.has(keyword)) continue;
    checkShape(reading, keyword, node[keyword], pointerTo(pointer, keyword));
    if (!isKeyword(reading.dialect, keyword)) continue;
    checkKeyword(reading, keyword, node[keyword], pointerTo(pointer, keyword));
    for (const [child, childPointer] of subschemas(keyword, node[keyword], pointer)) {
      visit(reading, child, childPointer, resource);
    }
  }
}

/** Whether a node is its `$ref` and nothing else. */
export function ignoresSiblings(dialect: Dialect, node: SchemaNode): boolean {
  return typeof node.$ref === "string" && !readsBesideRef(dialect);
}

/** The object subschemas directly under a keyword, with their pointers. */
function* subschemas(
  keyword: string,
  value: unknown,
  pointer: string,
): Generator<[SchemaNode, string]> {
  const place = pointerTo(pointer, keyword);
  if (ONE.has(keyword) && isObject(value)) yield [value, place];
  else if (LIST.has(keyword) && isArray(value)) {
    for (const [i, child] of value.entries())
      if (isObject(child)) yield [child, pointerTo(place, i)];
  } else if (MAP.has(keyword) && isObject(value)) {
    for (const key of keysOf(value)) {
      const child = value[key];
      if (isObject(child)) yield [child, pointerTo(place, key)];
    }
  }
}

function identify(reading: Reading, node: SchemaNode, parent: Resource): Resource {
  let resource = parent;
  const id = node[idKeyword(reading.dialect)];
  if (typeof id === "string" && !ignoresSiblings(reading.dialect, node)) {
    const uri = resolveUri(id, parent.uri);
    if (uri === undefined) return resource;
    if (uri.fragment === "") {
      resource = { uri: uri.document, root: node };
      reading.resources.set(uri.document, node);
    } else reading.anchors.set(`${uri.document}#${uri.fragment}`, node);
  }
  for (const anchor of [node.$anchor, node.$dynamicAnchor]) {
    if (typeof anchor === "string") reading.anchors.set(`${resource.uri}#${anchor}`, node);
  }
  return resource;
}

function resolveUri(
  reference: string,
  base: string,
): { document: string; fragment: string } | undefined {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return { document: url.href, fragment };
  } catch {
    return undefined;
  }
}

function followReference(reading: Reading, node: SchemaNode, pointer: string): void {
  const reference = node.$ref;
  if (typeof reference !== "string") return;
  const target = resolve(reading, reference, node);
  if (target instanceof URL) reading.metaschemas.set(node, target.href);
  else if (typeof target !== "string") reading.targets.set(node, target);
  else reading.problems.push({ pointer: pointerTo(pointer, "$ref"), text: target });
}

/** A dynamic reference that can lead to one place only is made a plain one. */
function followDynamicReference(reading: Reading, node: SchemaNode, pointer: string): void {
  for (const keyword of DYNAMIC) {
    const reference = node[keyword];
    if (typeof reference !== "string" || !isKeyword(reading.dialect, keyword)) continue;
    const target = resolve(reading, reference, node);
    if (typeof target === "string" || target instanceof URL) {
      const text = String(target).replace("$ref", keyword);
      reading.problems.push({ pointer: pointerTo(pointer, keyword), text });
    } else if (isAmbiguous(reading, keyword, reference, target)) {
      reading.needsIds = true;
    } else {
      delete node[keyword];
      const branch: SchemaNode = { $ref: reference };
      node.allOf = [...(isArray(node.allOf) ? node.allOf : []), branch];
      reading.targets.set(branch, target);
    }
  }
}

function isAmbiguous(
  reading: Reading,
  keyword: string,
  reference: string,
  target: SchemaNode | boolean,
): boolean {
  if (typeof target === "boolean") return false;
  const anchor = keyword === "$dynamicRef" ? "$dynamicAnchor" : "$recursiveAnchor";
  const name = keyword === "$dynamicRef" ? reference.replace(/^[^#]*#/, "") : true;
  if (target[anchor] !== name) return false;
  return [...reading.nodes.keys()].filter((node) => node[anchor] === name).length > 1;
}

/** What a reference leads to: a subschema, a metaschema by its URL, or why it leads to neither. */
function resolve(
  reading: Reading,
  reference: string,
  node: SchemaNode,
): SchemaNode | boolean | URL | string {
  const base = reading.resourceOf.get(node)!;
  const uri = resolveUri(reference, base.uri);
  const named = `$ref ${JSON.stringify(reference)}`;
  if (uri === undefined) return `${named} is not a URI reference`;
  const resource = reading.resources.get(uri.document);
  if (resource === undefined) {
    if (metaschemaDialect(uri.document) !== undefined) return new URL(reference, base.uri);
    return `${named} leads outside the schema; nothing is fetched: put its target under $defs`;
  }
  if (uri.fragment === "") return resource;
  const target = uri.fragment.startsWith("/")
    ? atPointer(reading, resource, uri.fragment)
    : reading.anchors.get(`${uri.document}#${uri.fragment}`);
  return target ?? `${named} leads to nothing in the schema`;
}

function atPointer(
  reading: Reading,
  from: SchemaNode,
  pointer: string,
): SchemaNode | boolean | undefined {
  let value: unknown = from;
  let place = reading.nodes.get(from)!;
  let resource = reading.resourceOf.get(from)!;
  for (const segment of pointerSegments(pointer)) {
    if (typeof value !== "object" || value === null || !hasOwn(value, segment)) return undefined;
    value = (value as JsonObject)[segment];
    place = pointerTo(place, segment);
    resource = (isObject(value) && reading.resourceOf.get(value)) || resource;
  }
  if (typeof value === "boolean") return value;
  if (!isObject(value)) return undefined;
  if (!reading.nodes.has(value)) {
    reading.hasHiddenTargets = true;
    visit(reading, value, place, resource);
  }
  return value;
}

function checkShape(reading: Reading, keyword: string, value: unknown, pointer: string): void {
  const text = shapeProblem(reading.dialect, keyword, value);
  if (text === undefined) return;
  reading.misshapen++;
  reading.problems.push({ pointer, text });
}

function checkKeyword(reading: Reading, keyword: string, value: unknown, pointer: string): void {
  if (keyword === "type") checkTypes(reading, value, pointer);
  else if (keyword === "pattern") checkPattern(reading, value, pointer);
  else if (keyword === "patternProperties" && isObject(value)) {
    for (const pattern of keysOf(value)) {
      checkPattern(reading, pattern, pointerTo(pointer, pattern));
    }
  } else if (keyword === "format" && typeof value === "string") reading.formats.add(value);
}

function checkPattern(reading: Reading, pattern: unknown, pointer: string): void {
  if (typeof pattern !== "string") return;
  const error = reading.patternError(pattern);
  if (error === undefined) {
    reading.patterns.add(pattern);
    return;
  }
  const text = `${JSON.stringify(pattern)} is not a regular expression: ${error}`;
  reading.problems.push({ pointer, text });
}

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    array: "list tuple set frozenset sequence vector",
    boolean: "bool",
    integer: "int int32 int64 long short uint uint32 uint64",
    null: "none nil nonetype undefined",
    number: "float float32 float64 double decimal numeric num",
    object: "dict dictionary map mapping record struct hash json",
    string: "str text char varchar date datetime time uuid enum file",
  }).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
);

function checkTypes(reading: Reading, value: unknown, pointer: string): void {
  const list = isArray(value) ? value : [value];
  for (const [i, type] of list.entries()) {
    if (typeof type !== "string" || TYPES.includes(type)) continue;
    const place = isArray(value) ? pointerTo(pointer, i) : pointer;
    reading.misshapen++;
    const text = `${JSON.stringify(type)} is not a type of JSON Schema; ${suggestion(type)}`;
    reading.problems.push({ pointer: place, text });
  }
}

function suggestion(type: string): string {
  const name = type.toLowerCase().replace(/[[<(].*$/s, "");
  if (name === "any" || name === "unknown") return "leave `type` out to allow any value";
  const meant = TYPES.includes(name) ? name : MEANT.get(name);
  return meant === undefined ? `use one of ${TYPES.join(", ")}` : `use "${meant}"`;
}
