import { arrayPrototype } from "./captured.ts";

// Captured when this module loads: pack code that replaces the globals later can't change what the service does.
const { parse, stringify } = JSON;
const { keys, hasOwn, defineProperty, setPrototypeOf } = Object;
const { isArray } = Array;

export { isArray, hasOwn, keys as keysOf, parse as parseJson, stringify as stringifyJson };

export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !isArray(value);
}

/** Sets an own property, also one named `__proto__`. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A deep copy of a JSON value that shares nothing with it. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return parse(stringify(value));
}

/** One more segment on a JSON Pointer. */
export function pointerTo(pointer: string, segment: string | number): string {
  return `${pointer}/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The segments of a JSON Pointer, unescaped. */
export function pointerSegments(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * An object of no prototype, so that what is assigned to it meets no setter that pack code put onto `Object.prototype`.
 * V8 makes a hash table of one that `__proto__: null` or `Object.create(null)` made, which costs ten times as much.
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- An instance is what it is for.
export class BareObject {
  static {
    setPrototypeOf(this.prototype, null);
  }
}

/**
 * JSON text of plain data the service made itself. Unlike `JSON.stringify` it asks no `toJSON`, so a prototype that
 * pack code has changed has no say. Members that are `undefined` are left out.
 */
export function encodeJson(value: unknown): string {
  // Objects inherit nothing that arrays don't.
  return ("toJSON" in arrayPrototype ? encodeByHand(value) : stringify(value)) ?? "null";
}

function encodeByHand(value: unknown): string | undefined {
  if (isArray(value)) return `[${value.map((item) => encodeByHand(item) ?? "null").join(",")}]`;
  return isObject(value) ? encodeObject(value) : stringify(value);
}

function encodeObject(object: JsonObject): string {
  let text = "";
  for (const key of keys(object)) {
    const member = encodeByHand(object[key]);
    if (member !== undefined) text += `${text && ","}${stringify(key)}:${member}`;
  }
  return `{${text}}`;
}
