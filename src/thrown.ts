import { apply, getPrototypeOf, isFinite, values } from "./captured.ts";
import { MAX_STACK_LENGTH } from "./protocol.ts";
import { isArray, parseJson, stringifyJson } from "./json.ts";

const MAX_MESSAGE_LENGTH = 8_192;
/** Deeper than this, what encodes the answer could run out of stack. */
const MAX_DEPTH = 100;
const UNREADABLE = "a value that can't be read";

const objectToString = Object.prototype.toString;

/** A one-line account of any thrown value. Never throws. */
export function thrownMessage(thrown: unknown): string {
  const text = isErrorObject(thrown)
    ? readText(thrown, "message") || readText(thrown, "name") || "Error"
    : foreignText(thrown);
  return cut(text, MAX_MESSAGE_LENGTH);
}

/**
 * Any thrown value as JSON (contract §2): `{ name, message, stack }` for an error object of any realm, `null`
 * for `undefined`, a JSON value as it is, anything else as a string. Never throws; long text is cut.
 */
export function thrownCause(thrown: unknown): unknown {
  if (thrown === undefined || thrown === null) return null;
  if (isErrorObject(thrown)) {
    return {
      name: cut(readText(thrown, "name") || "Error", MAX_MESSAGE_LENGTH),
      message: cut(readText(thrown, "message"), MAX_STACK_LENGTH),
      stack: cut(readText(thrown, "stack"), MAX_STACK_LENGTH),
    };
  }
  return jsonCopy(thrown) ?? cut(foreignText(thrown), MAX_STACK_LENGTH);
}

function isErrorObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  try {
    if (value instanceof Error) return true;
    const tag = apply(objectToString, value, []);
    return tag === "[object Error]" || tag === "[object DOMException]";
  } catch {
    return false;
  }
}

function readText(holder: object, member: string): string {
  try {
    const value = (holder as Record<string, unknown>)[member];
    return value === undefined ? "" : foreignText(value);
  } catch {
    return "";
  }
}

/** A copy of a value that is JSON and of a sane size, else `undefined`. */
function jsonCopy(value: unknown): unknown {
  try {
    if (!isJsonShaped(value)) return undefined;
    const text = stringifyJson(value);
    if (text === undefined || text.length > MAX_STACK_LENGTH) return undefined;
    const copy = parseJson(text);
    return isDeeperThan(copy, MAX_DEPTH) ? undefined : copy;
  } catch {
    return undefined;
  }
}

function isJsonShaped(value: unknown): boolean {
  if (typeof value === "number") return isFinite(value);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null || isArray(value)) return true;
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || values(value).some((member) => isDeeperThan(member, levels - 1));
}

function foreignText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return String(value);
  } catch {
    return UNREADABLE;
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
