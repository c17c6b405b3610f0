import { max } from "../captured.ts";
import { isArray, type JsonObject, keysOf, setOwn } from "../json.ts";
import { type Issue, MAX_ISSUES } from "../protocol.ts";

/** Longest path or message of an issue, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 1_024;

/** Most that an issue's params hold, in UTF-16 code units of text, each value counting as at least one. */
const MAX_PARAMS_LENGTH = 4_096;

/** A finding as the validator reports it. */
export type Finding = Required<Omit<Issue, "message">> & { message?: string };

/** The first findings, each cut to a size that is fit to send: a caller's property names may be megabytes long. */
export function issuesOf(findings: readonly Finding[]): Issue[] {
  return findings
    .slice(0, MAX_ISSUES)
    .map(({ instancePath, schemaPath, keyword, params, message }) => ({
      instancePath: cut(instancePath, MAX_TEXT_LENGTH),
      schemaPath: cut(schemaPath, MAX_TEXT_LENGTH),
      keyword,
      params: bounded(params, { left: MAX_PARAMS_LENGTH }) as Record<string, unknown>,
      message: cut(message ?? `must pass "${keyword}"`, MAX_TEXT_LENGTH),
    }));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function bounded(value: unknown, room: { left: number }): unknown {
  room.left--;
  if (typeof value === "string") {
    const kept = cut(value, max(room.left, 0));
    room.left -= value.length;
    return kept;
  }
  if (typeof value !== "object" || value === null) return value;
  if (isArray(value)) {
    const kept: unknown[] = [];
    for (const item of value) {
      if (room.left <= 0) break;
      kept.push(bounded(item, room));
    }
    return kept;
  }
  const kept: JsonObject = {};
  for (const key of keysOf(value)) {
    if (room.left <= 0) break;
    room.left -= key.length;
    setOwn(kept, key, bounded((value as JsonObject)[key], room));
  }
  return kept;
}
