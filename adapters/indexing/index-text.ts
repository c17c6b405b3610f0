import { isArray, isObject, keysOf, stringifyJson } from "../../src/json.ts";

/**
 * A JSON value as an index is written: keys in code-unit order at every level, two spaces, a line break at the end. Unlike
 * `JSON.stringify` after sorting, it keeps keys such as `10` and `9` in that order, too.
 */
export function indexText(value: unknown): string {
  return `${textOf(value, "\n")}\n`;
}

function textOf(value: unknown, lineBreak: string): string {
  const inner = `${lineBreak}  `;
  if (isArray(value))
    return block(
      "[]",
      lineBreak,
      value.map((item) => textOf(item, inner)),
    );
  if (!isObject(value)) return stringifyJson(value);
  const members = keysOf(value)
    .filter((key) => value[key] !== undefined)
    .toSorted(byCodeUnits)
    .map((key) => `${stringifyJson(key)}: ${textOf(value[key], inner)}`);
  return block("{}", lineBreak, members);
}

function block([open, close]: string, lineBreak: string, items: readonly string[]): string {
  if (items.length === 0) return `${open}${close}`;
  const inner = `${lineBreak}  `;
  return `${open}${inner}${items.join(`,${inner}`)}${lineBreak}${close}`;
}

/** The order of an index's lists and keys: the same everywhere, whatever the locale. */
export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
