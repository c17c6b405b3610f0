import { max, min } from "../captured.ts";
import { copyJson, hasOwn, isArray, isObject, type JsonObject, keysOf, setOwn } from "../json.ts";
import { type Dialect } from "./dialect.ts";
import { ignoresSiblings, type SchemaDocument, type SchemaNode } from "./document.ts";

/** Fills defaults into a JSON value, in place. Returns what takes them out again; undefined if none was missing. */
export type Fill = (value: unknown) => (() => void) | undefined;

/** A default, and the schema of its property, which it must satisfy to be used. */
export interface Candidate {
  schema: SchemaNode;
  value: unknown;
}

export interface FillPlan {
  candidates: readonly Candidate[];
  /** Completes the plan with those candidates that may be used; undefined where nothing is to be filled. */
  complete: (usable: ReadonlySet<Candidate>) => Fill | undefined;
}

type Matches = (name: string) => boolean;

/** What all schemas that hold at one place of the input have to fill; shared where the schema recurs. */
interface Place {
  shapes: Shape[];
  parents: Set<Place>;
  /** Whether a default is to be filled here or below. */
  fills: boolean;
}

/** What one schema says of the members and items of a value. */
interface Shape {
  slots: Map<string, Slot>;
  patterns: { matches: Matches; place: Place }[];
  otherMembers: Place;
  items: Place[];
  otherItems: Place;
}

interface Slot {
  name: string;
  place: Place;
  candidates: Candidate[];
  fallback: { value: unknown } | undefined;
}

/** The slots that were filled to make a value, innermost first. */
interface Origin {
  slot: Slot;
  outer: Origin | undefined;
}

interface Addition {
  to: JsonObject;
  name: string;
}

const NOWHERE: Place = { shapes: [], parents: new Set(), fills: false };
const EMPTY = { otherMembers: NOWHERE, otherItems: NOWHERE };

/**
 * Plans how to fill the defaults of a schema's properties. Reads the schema now; later changes to it don't matter.
 * Defaults inside `anyOf`, `oneOf`, `not`, `if` and the like are left alone: whether they hold depends on the value.
 */
export function planDefaults(
  document: SchemaDocument,
  patternOf: (source: string) => { test: Matches },
): FillPlan | undefined {
  if (!document.keywords.has("default")) return undefined;
  const { start, places, slots } = layOut(document, patternOf);
  const candidates = slots.flatMap((slot) => slot.candidates);
  if (candidates.length === 0) return undefined;
  const complete = (usable: ReadonlySet<Candidate>): Fill | undefined => {
    for (const slot of slots) chooseFallback(slot, usable);
    markFilling(places);
    for (const { shapes } of places) fillAt({}, shapes, [], giveUp);
    markFilling(places);
    if (!start.fills) return undefined;
    for (const place of places) prune(place);
    return (value) => {
      const additions: Addition[] = [];
      fillAt(value, start.shapes, additions);
      return additions.length === 0 ? undefined : () => takeOut(additions);
    };
  };
  return { candidates, complete };
}

/** A default that would hold itself without end is not filled at all. */
function giveUp(slot: Slot): void {
  slot.fallback = undefined;
}

function layOut(document: SchemaDocument, patternOf: (source: string) => { test: Matches }) {
  const places = new Map<SchemaNode, Place>();
  const shapes = new Map<SchemaNode, Shape>();
  const slots: Slot[] = [];

  const placeOf = (schema: unknown): Place => {
    if (!isObject(schema)) return NOWHERE;
    let place = places.get(schema);
    if (place !== undefined) return place;
    place = { shapes: [], parents: new Set(), fills: false };
    places.set(schema, place);
    for (const node of together(document, schema)) place.shapes.push(shapeOf(node));
    return place;
  };

  const shapeOf = (schema: SchemaNode): Shape => {
    const known = shapes.get(schema);
    if (known !== undefined) return known;
    const shape: Shape = { ...EMPTY, slots: new Map(), patterns: [], items: [] };
    shapes.set(schema, shape);
    const node = ignoresSiblings(document.dialect, schema) ? {} : schema;
    for (const [name, child] of entriesOf(node.properties)) {
      const candidates = isObject(child) ? candidatesOf(document, child) : [];
      const slot: Slot = { name, place: placeOf(child), candidates, fallback: undefined };
      shape.slots.set(name, slot);
      slots.push(slot);
    }
    for (const [pattern, child] of entriesOf(node.patternProperties)) {
      shape.patterns.push({ matches: patternOf(pattern).test, place: placeOf(child) });
    }
    shape.otherMembers = placeOf(node.additionalProperties);
    const { first, rest } = itemSchemas(document.dialect, node);
    shape.items = first.map(placeOf);
    shape.otherItems = placeOf(rest);
    return shape;
  };

  const start = placeOf(document.root);
  for (const place of places.values()) {
    for (const shape of place.shapes) for (const child of below(shape)) child.parents.add(place);
  }
  return { start, places: [...places.values()], slots };
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

function chooseFallback(slot: Slot, usable: ReadonlySet<Candidate>): void {
  const chosen = slot.candidates.find((candidate) => usable.has(candidate));
  if (chosen !== undefined) slot.fallback = { value: copyJson(chosen.value) };
}

function hasFallback(shape: Shape): boolean {
  return [...shape.slots.values()].some((slot) => slot.fallback !== undefined);
}

function markFilling(places: readonly Place[]): void {
  const filling = new Set(places.filter(({ shapes }) => shapes.some(hasFallback)));
  for (const place of filling) for (const parent of place.parents) filling.add(parent);
  for (const place of places) place.fills = filling.has(place);
}

/** Leaves out the shapes that have nothing to fill, so that their part of an input isn't even looked at. */
function prune(place: Place): void {
  place.shapes = place.shapes.filter(
    (shape) => hasFallback(shape) || below(shape).some(({ fills }) => fills),
  );
}

/** A value to fill, the shapes it is filled by, and how it came to be if it was filled in itself. */
interface Task {
  value: unknown;
  shapes: readonly Shape[];
  origin: Origin | undefined;
}

/**
 * Fills what is missing in a value, and in what is filled. Goes by a list, since a value may be deeper than the stack, and
 * to each place once, whatever the number of ways that a schema leads there.
 */
function fillAt(
  start: unknown,
  shapes: readonly Shape[],
  additions: Addition[],
  onEndless?: (slot: Slot) => void,
): void {
  const tasks: Task[] = [{ value: start, shapes, origin: undefined }];
  const later = (value: unknown, shapes: readonly Shape[], origin: Origin | undefined): void => {
    if (shapes.length === 0 || typeof value !== "object" || value === null) return;
    tasks.push({ value, shapes, origin });
  };
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { value, shapes, origin } = task;
    if (isArray(value)) {
      enterItems(value, shapes, (item, below) => later(item, below, origin));
    } else if (isObject(value)) {
      const origins = fillMembers(value, shapes, origin, additions, onEndless);
      for (const name of namesToEnter(value, shapes)) {
        later(value[name], shapesOfMember(shapes, name), origins.get(name) ?? origin);
      }
    }
  }
}

/** Fills the missing members of an object. Returns how those that were filled came to be. */
function fillMembers(
  object: JsonObject,
  shapes: readonly Shape[],
  origin: Origin | undefined,
  additions: Addition[],
  onEndless: ((slot: Slot) => void) | undefined,
): ReadonlyMap<string, Origin> {
  let origins: Map<string, Origin> | undefined;
  for (const { slots } of shapes) {
    for (const slot of slots.values()) {
      const { name, fallback } = slot;
      if (fallback === undefined || hasOwn(object, name)) continue;
      if (holds(origin, slot)) {
        onEndless?.(slot);
        continue;
      }
      setOwn(object, name, copyJson(fallback.value));
      additions.push({ to: object, name });
      if (typeof fallback.value !== "object") continue;
      origins ??= new Map();
      origins.set(name, { slot, outer: origin });
    }
  }
  return origins ?? NO_ORIGINS;
}

const NO_ORIGINS: ReadonlyMap<string, Origin> = new Map();

function holds(origin: Origin | undefined, slot: Slot): boolean {
  for (let one = origin; one !== undefined; one = one.outer) if (one.slot === slot) return true;
  return false;
}

function enterItems(
  items: readonly unknown[],
  shapes: readonly Shape[],
  enter: (item: unknown, shapes: readonly Shape[]) => void,
): void {
  const listed = max(...shapes.map((shape) => shape.items.length));
  for (let i = 0; i < min(listed, items.length); i++) {
    enter(items[i], merged(shapes.map((shape) => shape.items[i] ?? shape.otherItems)));
  }
  const rest = merged(shapes.map((shape) => shape.otherItems));
  if (rest.length > 0) for (let i = listed; i < items.length; i++) enter(items[i], rest);
}

function namesToEnter(object: JsonObject, shapes: readonly Shape[]): Iterable<string> {
  const toAny = ({ otherMembers, patterns }: Shape): boolean =>
    otherMembers.fills || patterns.some(({ place }) => place.fills);
  if (shapes.some(toAny)) return keysOf(object);
  const names = new Set<string>();
  for (const { slots } of shapes) {
    for (const { name, place } of slots.values())
      if (place.fills && hasOwn(object, name)) names.add(name);
  }
  return names;
}

function shapesOfMember(shapes: readonly Shape[], name: string): readonly Shape[] {
  return merged(
    shapes.flatMap(({ slots, patterns, otherMembers }) => {
      const slot = slots.get(name);
      const matching = patterns.filter(({ matches }) => matches(name)).map(({ place }) => place);
      if (slot !== undefined) return [slot.place, ...matching];
      return matching.length > 0 ? matching : [otherMembers];
    }),
  );
}

function merged(places: readonly Place[]): readonly Shape[] {
  const filling = places.filter(({ fills }) => fills);
  if (filling.length < 2) return filling[0]?.shapes ?? [];
  return [...new Set(filling.flatMap(({ shapes }) => shapes))];
}

function takeOut(additions: readonly Addition[]): void {
  for (const { to, name } of additions) delete to[name];
}
