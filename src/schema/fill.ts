import { max, min } from "../captured.ts";
import { copyJson, hasOwn, isArray, isObject, type JsonObject, keysOf, setOwn } from "../json.ts";

/** Fills defaults into a JSON value, in place. Returns what takes them out again; undefined if none was filled. Never throws. */
export type Fill = (value: unknown) => (() => void) | undefined;

/** What all schemas that hold at one place of the input have to fill; shared where the schema recurs. */
export interface Place {
  shapes: Shape[];
  /** Whether a default is to be filled here or below. */
  fills: boolean;
}

/** What one schema says of the members and items of a value. */
export interface Shape {
  slots: Map<string, Slot>;
  patterns: { pattern: NamePattern; place: Place }[];
  otherMembers: Place;
  items: Place[];
  otherItems: Place;
}

/** The pattern of a property's name. */
export interface NamePattern {
  source: string;
  test(name: string): boolean;
}

/** A property, and the default that is filled where it is missing. */
export interface Slot {
  name: string;
  place: Place;
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

/** Where nothing is filled. */
export const NOWHERE: Place = { shapes: [], fills: false };

/** Fills what a place, the whole input's, has to fill. */
export function createFill({ shapes }: Place): Fill {
  return (value) => {
    const additions: Addition[] = [];
    try {
      fillAt(value, shapes, additions);
    } catch {
      // The runtime is out of stack over a property's name of megabytes: what judges the value refuses it.
      takeOut(additions);
      return undefined;
    }
    return additions.length === 0 ? undefined : () => takeOut(additions);
  };
}

/** Fills an empty object as one of these shapes, and tells of each default that would hold itself without end. */
export function findEndless(shapes: readonly Shape[], onEndless: (slot: Slot) => void): void {
  fillAt({}, shapes, [], onEndless);
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
      const matching = patterns
        .filter(({ pattern }) => pattern.test(name))
        .map(({ place }) => place);
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
