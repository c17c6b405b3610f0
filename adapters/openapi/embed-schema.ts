import { isArray, isObject, keysOf, pointerTo, stringifyJson } from "../../src/json.ts";
import { ignoresSiblings, readSchemaText } from "../../src/schema/document.ts";
import type { SchemaDocument, SchemaNode } from "../../src/schema/document.ts";

/** What is no part of a reference that ignores what stands beside it. */
const KEPT_BESIDE_REF = new Set(["$ref", "$defs", "definitions"]);

/** What says nothing of a value, or is referred to by its place. */
const KEPT_BESIDE_NULL = new Set(["$defs", "default", "definitions", "description", "title"]);

/**
 * A JSON Schema of any draft as one of 2020-12 that means the same at another place, in a bigger document: what it refers to
 * is found from that document's root, and no name of it could be another schema's, too.
 *
 * @param place where it shall stand: a JSON Pointer as a URI fragment
 */
export function embedSchema(schema: unknown, place: string): unknown {
  if (!isObject(schema)) return schema;
  const document = readSchemaText(stringifyJson(schema), () => undefined);
  const { root, targets, needsIds } = document;
  for (const node of document.nodes.keys()) modernize(document, node);
  if (needsIds) {
    // It refers dynamically: only as a resource of its own does it keep its meaning.
    root.$id ??= `urn:pack-handler:${place.slice(2)}`;
    return root;
  }
  const pointers = pointersOf(root);
  for (const [node, target] of targets) {
    if (typeof target !== "boolean") node.$ref = place + fragmentOf(pointers.get(target) ?? "");
    else {
      delete node.$ref;
      if (!target) node.not = {};
    }
  }
  wrapReference(root);
  return root;
}

/** Readers of OpenAPI put what a reference leads to in its place, and lose the definitions beside it. */
function wrapReference(root: SchemaNode): void {
  const { $ref, allOf } = root;
  if ($ref === undefined || keysOf(root).length === 1) return;
  delete root.$ref;
  root.allOf = [...(isArray(allOf) ? allOf : []), { $ref }];
}

/** Says in the words of 2020-12 what earlier drafts, and OpenAPI, have others for. */
function modernize(document: SchemaDocument, node: SchemaNode): void {
  const { dialect, needsIds } = document;
  if (ignoresSiblings(dialect, node)) drop(node, (key) => !KEPT_BESIDE_REF.has(key));
  delete node.$schema;
  if (!needsIds) drop(node, (key) => key === "$id" || key === "$anchor");
  if (dialect === "draft-04") {
    if (typeof node.id === "string") delete node.id;
    modernizeLimit(node, "exclusiveMinimum", "minimum");
    modernizeLimit(node, "exclusiveMaximum", "maximum");
  }
  if (dialect !== "2020-12") {
    modernizeItems(node);
    modernizeDependencies(node);
  }
  spellOutNullable(document, node);
}

function drop(node: SchemaNode, isDropped: (key: string) => boolean): void {
  for (const key of keysOf(node)) if (isDropped(key)) delete node[key];
}

function modernizeLimit(node: SchemaNode, exclusive: string, limit: string): void {
  if (typeof node[exclusive] !== "boolean") return;
  const moves = node[exclusive] && node[limit] !== undefined;
  if (moves) node[exclusive] = node[limit];
  else delete node[exclusive];
  if (moves) delete node[limit];
}

function modernizeItems(node: SchemaNode): void {
  const { items, additionalItems } = node;
  delete node.additionalItems;
  if (!isArray(items)) return;
  delete node.items;
  if (items.length > 0) node.prefixItems = items;
  if (additionalItems !== undefined) node.items = additionalItems;
}

function modernizeDependencies(node: SchemaNode): void {
  const { dependencies } = node;
  if (!isObject(dependencies)) return;
  delete node.dependencies;
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, value]) => isArray(value));
  const schemas = entries.filter(([, value]) => !isArray(value));
  if (required.length > 0) node.dependentRequired = Object.fromEntries(required);
  if (schemas.length > 0) node.dependentSchemas = Object.fromEntries(schemas);
}

function spellOutNullable({ targets }: SchemaDocument, node: SchemaNode): void {
  const { nullable } = node;
  delete node.nullable;
  if (nullable !== true) return;
  const inner: SchemaNode = { ...node };
  drop(inner, (key) => KEPT_BESIDE_NULL.has(key));
  if (keysOf(inner).length === 0) return;
  drop(node, (key) => !KEPT_BESIDE_NULL.has(key));
  node.anyOf = [inner, { type: "null" }];
  const target = targets.get(node);
  if (target === undefined) return;
  targets.delete(node);
  targets.set(inner, target);
}

/** The place of every object and list in a schema, also of those that no keyword makes a subschema. */
function pointersOf(root: SchemaNode): Map<unknown, string> {
  const pointers = new Map<unknown, string>([[root, ""]]);
  for (const [value, pointer] of pointers) {
    for (const [key, member] of Object.entries(value as object)) {
      if (isObject(member) || isArray(member)) pointers.set(member, pointerTo(pointer, key));
    }
  }
  return pointers;
}

function fragmentOf(pointer: string): string {
  return encodeURI(pointer).replaceAll("#", "%23");
}
