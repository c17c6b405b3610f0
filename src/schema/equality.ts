import { hasOwn, isArray, type JsonObject, keysOf, stringifyJson } from "../json.ts";

/**
 * The first item of a JSON array that equals an earlier one, with that one: `[earlier, later]`, or undefined.
 * Linear in the array's size, where comparing every pair takes the square of it.
 */
export function duplicateItems(items: readonly unknown[]): [number, number] | undefined {
  const seen = new Map<unknown, number>();
  const seenStructures = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const isStructure = typeof item === "object" && item !== null;
    const key = isStructure ? canonical(item) : item;
    const map: Map<unknown, number> = isStructure ? seenStructures : seen;
    const earlier = map.get(key);
    if (earlier !== undefined) return [earlier, i];
    map.set(key, i);
  }
  return undefined;
}

/** Whether two JSON values are equal by JSON Schema, whatever their members are called. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isArray(a) !== isArray(b)) return false;
  const names = keysOf(a);
  if (names.length !== keysOf(b).length) return false;
  return names.every(
    (name) => hasOwn(b, name) && equalJson((a as JsonObject)[name], (b as JsonObject)[name]),
  );
}

/** What tells whether a JSON value equals one of these. */
export function oneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const plain = new Set(values);
  const structures = values.filter((value) => typeof value === "object" && value !== null);
  return (value) => plain.has(value) || structures.some((structure) => equalJson(structure, value));
}

/** Text that two JSON values share if and only if they are equal by JSON Schema. */
function canonical(value: unknown): string {
  if (typeof value === "string") return stringifyJson(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const object = value as Record<string, unknown>;
  const members = keysOf(object).toSorted();
  return `{${members.map((key) => `${stringifyJson(key)}:${canonical(object[key])}`).join(",")}}`;
}
