import { isArray, pointerTo } from "./json.ts";
import { MAX_ISSUES } from "./protocol.ts";
import type { Issue } from "./protocol.ts";

/** Longest path or message of an issue, in UTF-16 code units. A path may name what a caller sent. */
const MAX_TEXT_LENGTH = 1_024;

type ModelResult = { value: unknown } | { issues: Issue[] };

/**
 * What a Standard Schema's `validate` came to, its issues as the protocol writes them.
 * @throws what isn't a Standard Schema result
 */
export function readModelResult(result: unknown): ModelResult {
  if (typeof result !== "object" || result === null) {
    throw new TypeError("a model must answer { value } or { issues }");
  }
  const { issues } = result as { issues?: unknown };
  if (issues === undefined || issues === null)
    return { value: (result as { value?: unknown }).value };
  return { issues: modelIssues(issues) };
}

function modelIssues(issues: unknown): Issue[] {
  const list = isArray(issues) ? Array.from(issues.slice(0, MAX_ISSUES), modelIssue) : [];
  return list.length > 0
    ? list
    : [{ instancePath: "", message: "is refused by the module's own model" }];
}

function modelIssue(issue: unknown): Issue {
  const { message, path } = Object(issue) as { message?: unknown; path?: unknown };
  const keys = isArray(path) ? Array.from(path.slice(0, MAX_TEXT_LENGTH), pathKey) : [];
  return {
    instancePath: keys.reduce(pointerTo, "").slice(0, MAX_TEXT_LENGTH),
    message: String(message ?? "is invalid").slice(0, MAX_TEXT_LENGTH),
  };
}

/** A segment of an issue's path: a key, or an object that holds one. */
function pathKey(segment: unknown): string {
  const key =
    typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment;
  return String(key);
}
