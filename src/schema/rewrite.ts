import { hasOwn, isArray, isObject, type JsonObject, keysOf, pointerTo } from "../json.ts";
import { idKeyword } from "./dialect.ts";
import { isKeyword } from "./shape.ts";
import { ignoresSiblings, type SchemaDocument, type SchemaNode } from "./document.ts";

/** The keyword, of our own, that stands for a `$ref` to a metaschema. */
export const METASCHEMA_KEYWORD = "pack-handler:metaschema";

const NOTES = new Set([
  "$comment",
  "$schema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);
const NAMES = new Set(["$anchor", "$id", "id"]);
const COMPOSITES = [
  "$dynamicRef",
  "$recursiveRef",
  "$ref",
  "allOf",
  "anyOf",
  "const",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
];

/**
 * Turns a schema, in place, into one that means the same to ajv: `nullable` spelt out, references
 * by place instead of by name (so that names collide with nobody's), and without what it ignores.
 */
export function rewriteSchema(document: SchemaDocument): void {
  for (const node of document.nodes.keys()) {
    if (ignoresSiblings(document.dialect, node)) dropSiblings(node);
    spellOutMetaschema(document, node);
    if (document.keywords.has("unevaluatedProperties")) {
      spellOutIf(node);
    }
    spellOutNullable(document, node);
    spellOutProto(node);
    for (const keyword of keysOf(node)) if (isDead(document, keyword)) delete node[keyword];
  }
  cutEndlessReferences(document);
  if (!document.needsIds) placeReferences(document);
}

/** References that lead to nothing but each other: ajv would follow them without end, so no value is valid there. */
function cutEndlessReferences({ targets }: SchemaDocument): void {
  const endless = [...targets.keys()].filter((node) => isEndless(node, targets));
  for (const node of endless) {
    delete node.$ref;
    node.not = {};
    targets.delete(node);
  }
}

function isEndless(node: SchemaNode, targets: SchemaDocument["targets"]): boolean {
  const seen = new Set<unknown>();
  let next: unknown = node;
  while (isObject(next) && isReferenceOnly(next)) {
    if (seen.has(next)) return true;
    seen.add(next);
    next = targets.get(next);
  }
  return false;
}

function isReferenceOnly(node: SchemaNode): boolean {
  const said = keysOf(node).filter((keyword) => keyword !== "$defs" && keyword !== "definitions");
  return said.length === 1 && said[0] === "$ref";
}

function isDead(document: SchemaDocument, keyword: string): boolean {
  if (keyword === "$async" || keyword === "nullable" || NOTES.has(keyword)) return true;
  if (NAMES.has(keyword)) {
    const names = keyword === "$anchor" || keyword === idKeyword(document.dialect);
    return !(names && document.needsIds);
  }
  const hasUse = document.hasHiddenTargets || document.needsIds;
  return !hasUse && !isKeyword(document.dialect, keyword);
}

function dropSiblings(node: SchemaNode): void {
  for (const keyword of keysOf(node)) {
    const stays = ["$ref", "$defs", "definitions", "nullable"].includes(keyword);
    if (!stays) delete node[keyword];
  }
}

function spellOutMetaschema(document: SchemaDocument, node: SchemaNode): void {
  const metaschema = document.metaschemas.get(node);
  if (metaschema === undefined) return;
  delete node.$ref;
  node.allOf = [...(isArray(node.allOf) ? node.allOf : []), { [METASCHEMA_KEYWORD]: metaschema }];
}

/** OpenAPI's `nullable`: null is accepted here, whatever else the schema says. */
function spellOutNullable(document: SchemaDocument, node: SchemaNode): void {
  if (node.nullable !== true) return;
  if (typeof node.type === "string") node.type = [node.type];
  if (isArray(node.type) && !node.type.includes("null")) node.type = [...node.type, "null"];
  if (isArray(node.enum) && !node.enum.includes(null)) node.enum = [...node.enum, null];
  const inner: JsonObject = {};
  for (const keyword of COMPOSITES) {
    if (node[keyword] === undefined) continue;
    inner[keyword] = node[keyword];
    delete node[keyword];
  }
  if (keysOf(inner).length === 0) return;
  node.anyOf = [inner, { type: "null" }];
  const target = document.targets.get(node);
  if (target === undefined) return;
  document.targets.delete(node);
  document.targets.set(inner, target);
}

/** ajv takes what an `if` looks at for evaluated even where it fails, and forgets it where there is no `then`. */
function spellOutIf(node: SchemaNode): void {
  if (node.if === undefined) return;
  const { if: condition, then: consequence = true, else: alternative = true } = node;
  const branches = [
    { allOf: [condition, consequence] },
    { allOf: [{ not: condition }, alternative] },
  ];
  for (const keyword of ["if", "then", "else"]) delete node[keyword];
  node.allOf = [...(isArray(node.allOf) ? node.allOf : []), { anyOf: branches }];
}

/** ajv leaves what is named `__proto__` out of `properties`, `patternProperties` and `dependencies`. */
function spellOutProto(node: SchemaNode): void {
  const property = takeProto(node.properties);
  const pattern = takeProto(node.patternProperties);
  if (property !== undefined) addPattern(node, "^__proto__$", property);
  if (pattern !== undefined) addPattern(node, "(?:__proto__)", pattern);
  const dependency = takeProto(node.dependencies);
  if (dependency === undefined) return;
  const absent = { not: { type: "object", required: ["__proto__"] } };
  const needed = isArray(dependency) ? { required: dependency } : dependency;
  node.allOf = [...(isArray(node.allOf) ? node.allOf : []), { anyOf: [absent, needed] }];
}

function takeProto(map: unknown): unknown {
  if (!isObject(map) || !hasOwn(map, "__proto__")) return undefined;
  const schema = map["__proto__"];
  delete map["__proto__"];
  return schema;
}

/** Adds a schema for the names that match; one that the pattern already has holds beside it. */
function addPattern(node: SchemaNode, pattern: string, schema: unknown): void {
  const patterns: JsonObject = isObject(node.patternProperties) ? node.patternProperties : {};
  const all = hasOwn(patterns, pattern) ? { allOf: [patterns[pattern], schema] } : schema;
  node.patternProperties = { ...patterns, [pattern]: all };
}

function placeReferences(document: SchemaDocument): void {
  const { root, targets } = document;
  if (targets.size === 0) return;
  const places = placesOf(root, new Set(targets.values()));
  for (const [node, target] of targets) {
    if (typeof target !== "boolean") node.$ref = `#${places.get(target)!}`;
    else {
      delete node.$ref;
      node.allOf = [...(isArray(node.allOf) ? node.allOf : []), target];
    }
  }
}

/** The JSON Pointer, as a URI fragment, of each wanted object in a schema. */
export function placesOf(root: SchemaNode, wanted: ReadonlySet<unknown>): Map<unknown, string> {
  const places = new Map<unknown, string>();
  const search = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (wanted.has(value)) places.set(value, pointer);
    for (const key of keysOf(value)) {
      search((value as JsonObject)[key], pointerTo(pointer, encodeURIComponent(key)));
    }
  };
  search(root, "");
  return places;
}
