import {
  arrayPrototype,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getPrototypeOf,
  isFinite,
  objectPrototype,
} from "./captured.ts";
import { isArray } from "./json.ts";

/**
 * Tells a Proxy, whose reading runs code, and a boxed primitive, which JSON text shows as its primitive, from other
 * objects. The language has no way to, so a runtime's own is needed.
 */
export type IsExotic = (value: object) => boolean;

/** More are not looked through: a value can hold another so often that no text holds it. */
const MAX_OBJECTS = 1_048_576;

/**
 * Whether a value's JSON text says just what the value does, and writing it runs no code of the value's. One that can't
 * be looked through, such as one that holds itself, is none. Of an array with accessors only one answer of each is seen:
 * to ask an array for its descriptors would cost more than to parse its text.
 */
export function isPlainData(value: unknown, isExotic: IsExotic): boolean {
  try {
    return new Walk(isExotic).isPlain(value);
  } catch {
    // By a stack overflow, for one.
    return false;
  }
}

class Walk {
  readonly #isExotic: IsExotic;
  #left = MAX_OBJECTS;

  constructor(isExotic: IsExotic) {
    this.#isExotic = isExotic;
  }

  isPlain(value: unknown): boolean {
    switch (typeof value) {
      case "string":
      case "boolean":
        return true;
      case "number":
        return isFinite(value);
      case "object":
        return value === null || this.#isPlainObject(value);
      default:
        return false;
    }
  }

  #isPlainObject(value: object): boolean {
    if (--this.#left < 0 || this.#isExotic(value) || "toJSON" in value) return false;
    if (isArray(value)) {
      return getPrototypeOf(value) === arrayPrototype && this.#areItemsPlain(value);
    }
    return getPrototypeOf(value) === objectPrototype && this.#areMembersPlain(value);
  }

  #areItemsPlain(array: readonly unknown[]): boolean {
    for (let i = 0; i < array.length; i++) if (!this.isPlain(array[i])) return false;
    return true;
  }

  #areMembersPlain(object: object): boolean {
    for (const name of getOwnPropertyNames(object)) {
      const member = getOwnPropertyDescriptor(object, name);
      if (!member?.enumerable || "get" in member || !this.isPlain(member.value)) return false;
    }
    return true;
  }
}
