import { isObject } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import { LISTS } from "./discovery.ts";
import { byCodeUnits, indexText } from "./index-text.ts";

/** Members that tell builds apart, not packs. */
const STAMP = ["artifactVersion", "publishedAt"];

/** What an index says differently from the one that its source gives, a line each; none when they are the same. */
export function indexDifferences(committed: JsonObject, current: JsonObject): string[] {
  const lists: readonly string[] = LISTS;
  return changedMembers(committed, current)
    .filter((name) => !STAMP.includes(name))
    .flatMap((name) =>
      lists.includes(name)
        ? listDifferences(name, committed[name], current[name])
        : [memberDifference(name, committed[name], current[name])],
    );
}

function listDifferences(name: string, committed: unknown, current: unknown): string[] {
  const before = entriesByName(committed);
  const after = entriesByName(current);
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted(byCodeUnits);
  const differences = names.flatMap((entryName) => {
    const [old, now] = [before.get(entryName), after.get(entryName)];
    if (old === undefined) return [`${name}: ${entryName} is missing`];
    if (now === undefined) return [`${name}: ${entryName} is no longer there`];
    const members = changedMembers(old, now);
    return members.length === 0 ? [] : [`${name}: ${entryName} differs in ${members.join(", ")}`];
  });
  return differences.length > 0 ? differences : [`${name}: the order differs`];
}

function entriesByName(list: unknown): Map<string, JsonObject> {
  const entries = Array.isArray(list) ? list.filter(isObject) : [];
  return new Map(
    entries.map((entry) => [
      [entry.id, entry.version].filter((part) => part !== undefined).join(" "),
      entry,
    ]),
  );
}

function memberDifference(name: string, committed: unknown, current: unknown): string {
  if (typeof committed !== "string" || typeof current !== "string") return `${name} differs`;
  return `${name} is ${JSON.stringify(committed)}, not ${JSON.stringify(current)}`;
}

function changedMembers(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => textOf(before[name]) !== textOf(after[name]))
    .toSorted(byCodeUnits);
}

function textOf(value: unknown): string {
  return value === undefined ? "" : indexText(value);
}
