// Globals as they are when this module loads: pack code that replaces them later changes nothing for the service.
export const { AbortController, clearTimeout, Date, DOMException, setTimeout } = globalThis;
export const {
  assign,
  defineProperties,
  defineProperty,
  entries,
  getPrototypeOf,
  hasOwn,
  keys,
  values,
} = Object;
export const { apply } = Reflect;

const { performance } = globalThis;
const elapsed = performance.now;

/** Milliseconds on a clock that never goes back. */
export const now = (): number => apply(elapsed, performance, []);
