import type { Issue } from "../src/protocol.ts";
import { visible } from "./paint.ts";

const MAX_VALUE_LENGTH = 60;

/** The parameter without which a keyword's message says too little. */
const PARAMETER_OF: ReadonlyMap<string, string> = new Map([
  ["additionalProperties", "additionalProperty"],
  ["unevaluatedProperties", "unevaluatedProperty"],
  ["propertyNames", "propertyName"],
  ["enum", "allowedValues"],
  ["const", "allowedValue"],
]);

/** An issue for a person, without its place: its message, and what Ajv's leaves to the parameters, such as which member is too much. */
export function issueText({ message, keyword, params }: Issue): string {
  const name = keyword === undefined ? undefined : PARAMETER_OF.get(keyword);
  const value = name === undefined ? undefined : params?.[name];
  if (value === undefined) return visible(message);
  const list = Array.isArray(value) ? value : [value];
  return `${visible(message)}: ${cut(list.map(visibleJson).join(", "))}`;
}

/** A value as JSON for a line of text, cut when it is long. */
export function shortJson(value: unknown): string {
  return cut(visibleJson(value));
}

function visibleJson(value: unknown): string {
  return visible(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}
