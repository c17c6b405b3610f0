import { copyJson, hasOwn, isArray, isObject, keysOf } from "../json.ts";
import { type Dialect } from "./dialect.ts";
import { ignoresSiblings, type SchemaDocument, type SchemaNode } from "./document.ts";
import { findEndless, NOWHERE } from "./fill.ts";
import type { NamePattern, Place, Shape, Slot } from "./fill.ts";

/** A default, and the schema of its property, which it must satisfy to be used. */
export interface Candidate {
  schema: SchemaNode;
  value: unknown;
}

export interface FillPlan {
  candidates: readonly Candidate[];
  /** Completes the plan with those candidates that may be used: the whole input's place, where anything is to be filled. */
  complete: (usable: ReadonlySet<Candidate>) => Place | undefined;
}

/**
 * Plans how to fill the defaults of a schema's properties. Reads the schema now; later changes to it don't matter.
 * Defaults inside `anyOf`, `oneOf`, `not`, `if` and the like are left alone: whether they hold depends on the value.
 */
export function planDefaults(
  document: SchemaDocument,
  patternOf: (source: string) => NamePattern,
): FillPlan | undefined {
  if (!document.keywords.has("default")) return undefined;
  const layout = layOut(document, patternOf);
  const { start, places, candidatesOfSlots } = layout;
  const candidates = [...candidatesOfSlots.values()].flat();
  if (candidates.length === 0) return undefined;
  const complete = (usable: ReadonlySet<Candidate>): Place | undefined => {
    for (const [slot, own] of candidatesOfSlots) chooseFallback(slot, own, usable);
    markFilling(layout);
    for (const { shapes } of places) findEndless(shapes, giveUp);
    markFilling(layout);
    if (!start.fills) return undefined;
    for (const place of places) prune(place);
    return start;
  };
  return { candidates, complete };
}

/** A default that would hold itself without end is not filled at all. */
function giveUp(slot: Slot): void {
  slot.fallback = undefined;
}

interface Layout {
  start: Place;
  places: readonly Place[];
  /** Each place, and those right above it. */
  parents: ReadonlyMap<Place, Set<Place>>;
  candidatesOfSlots: ReadonlyMap<Slot, readonly Candidate[]>;
}

function layOut(document: SchemaDocument, patternOf: (source: string) => NamePattern): Layout {
  const places = new Map<SchemaNode, Place>();
  const shapes = new Map<SchemaNode, Shape>();
  const candidatesOfSlots = new Map<Slot, readonly Candidate[]>();

  const placeOf = (schema: unknown): Place => {
    if (!isObject(schema)) return NOWHERE;
    let place = places.get(schema);
    if (place !== undefined) return place;
    place = { shapes: [], fills: false };
    places.set(schema, place);
    for (const node of together(document, schema)) place.shapes.push(shapeOf(node));
    return place;
  };

  const shapeOf = (schema: SchemaNode): Shape => {
    const known = shapes.get(schema);
    if (known !== undefined) return known;
    const shape: Shape = {
      slots: new Map(),
      patterns: [],
      otherMembers: NOWHERE,
      items: [],
      otherItems: NOWHERE,
    };
    shapes.set(schema, shape);
    const node = ignoresSiblings(document.dialect, schema) ? {} : schema;
    for (const [name, child] of entriesOf(node.properties)) {
      const slot: Slot = { name, place: placeOf(child), fallback: undefined };
      shape.slots.set(name, slot);
      candidatesOfSlots.set(slot, isObject(child) ? candidatesOf(document, child) : []);
    }
    for (const [source, child] of entriesOf(node.patternProperties)) {
      shape.patterns.push({ pattern: patternOf(source), place: placeOf(child) });
    }
    shape.otherMembers = placeOf(node.additionalProperties);
    const { first, rest } = itemSchemas(document.dialect, node);
    shape.items = first.map(placeOf);
    shape.otherItems = placeOf(rest);
    return shape;
  };

  const start = placeOf(document.root);
  return { start, places: [...places.values()], parents: parentsOf(places), candidatesOfSlots };
}

function parentsOf(places: ReadonlyMap<SchemaNode, Place>): Map<Place, Set<Place>> {
  const parents = new Map<Place, Set<Place>>();
  for (const place of places.values()) {
    for (const child of place.shapes.flatMap(below)) {
      const own = parents.get(child);
      if (own) own.add(place);
      else parents.set(child, new Set([place]));
    }
  }
  return parents;
}

function below({ slots, patterns, otherMembers, items, otherItems }: Shape): Place[] {
  const named = [...slots.values(), ...patterns].map(({ place }) => place);
  return [...named, otherMembers, ...items, otherItems];
}

/** A schema and those that hold wherever it does, itself first, then by `$ref` and `allOf`. */
function together(document: SchemaDocument, schema: SchemaNode): Set<SchemaNode> {
  const found = new Set([schema]);
  for (const node of found) {
    const target = document.targets.get(node);
    if (isObject(target)) found.add(target);
    if (ignoresSiblings(document.dialect, node) || !isArray(node.allOf)) continue;
    for (const branch of node.allOf) if (isObject(branch)) found.add(branch);
  }
  return found;
}

function candidatesOf(document: SchemaDocument, schema: SchemaNode): Candidate[] {
  return [...together(document, schema)]
    .filter((node) => hasOwn(node, "default"))
    .map((node) => ({ schema, value: node.default }));
}

function itemSchemas(dialect: Dialect, node: SchemaNode): { first: unknown[]; rest: unknown } {
  if (dialect === "2020-12") {
    return { first: isArray(node.prefixItems) ? node.prefixItems : [], rest: node.items };
  }
  if (isArray(node.items)) return { first: node.items, rest: node.additionalItems };
  return { first: [], rest: node.items };
}

function entriesOf(map: unknown): [string, unknown][] {
  return isObject(map) ? keysOf(map).map((key) => [key, map[key]]) : [];
}

function chooseFallback(
  slot: Slot,
  candidates: readonly Candidate[],
  usable: ReadonlySet<Candidate>,
): void {
  const chosen = candidates.find((candidate) => usable.has(candidate));
  if (chosen !== undefined) slot.fallback = { value: copyJson(chosen.value) };
}

function hasFallback(shape: Shape): boolean {
  return [...shape.slots.values()].some((slot) => slot.fallback !== undefined);
}

function markFilling({ places, parents }: Layout): void {
  const filling = new Set(places.filter(({ shapes }) => shapes.some(hasFallback)));
  for (const place of filling) {
    for (const parent of parents.get(place) ?? []) filling.add(parent);
  }
  for (const place of places) place.fills = filling.has(place);
}

/** Leaves out the shapes that have nothing to fill, so that their part of an input isn't even looked at. */
function prune(place: Place): void {
  place.shapes = place.shapes.filter(
    (shape) => hasFallback(shape) || below(shape).some(({ fills }) => fills),
  );
}
