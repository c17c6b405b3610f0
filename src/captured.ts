// Globals as they are when this module loads: pack code that replaces them later changes nothing for the service.
export const { AbortController, clearTimeout, Date, DOMException, setTimeout } = globalThis;
export const {
  assign,
  create,
  defineProperties,
  defineProperty,
  entries,
  fromEntries,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getPrototypeOf,
  hasOwn,
  keys,
  values,
} = Object;
export const { prototype: objectPrototype } = Object;
export const { prototype: arrayPrototype } = Array;
export const { isFinite, isSafeInteger } = Number;
export const { abs, ceil, max, min, round } = Math;
export const { apply } = Reflect;

const { performance } = globalThis;
const dateNow = Date.now;
const { toISOString } = Date.prototype;
const partOf = Uint8Array.prototype.subarray;
const encoder = new TextEncoder();
const elapsed = performance.now;

/** Milliseconds on a clock that never goes back. */
export const now = (): number => apply(elapsed, performance, []);

/** The time of day: ISO 8601, UTC, milliseconds. Many records are of one millisecond. */
export function timestamp(): string {
  const time = dateNow();
  if (time !== lastTime) lastTimestamp = apply(toISOString, new Date(time), []);
  lastTime = time;
  return lastTimestamp;
}

let lastTime = Number.NaN;
let lastTimestamp = "";

export const encodeUtf8 = encoder.encode.bind(encoder);
export const encodeUtf8Into = encoder.encodeInto.bind(encoder);

/** A view of a part of these bytes. */
export const subarray = (bytes: Uint8Array, start: number, end?: number): Uint8Array =>
  apply(partOf, bytes, [start, end]);
