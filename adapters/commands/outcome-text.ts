import type { FailedOutcome, ToolOutcome } from "../../src/client.ts";
import { hasOwn, isObject, pointerSegments } from "../../src/json.ts";
import type { Issue } from "../../src/protocol.ts";
import { visible, visibleLines } from "../paint.ts";
import type { Paint } from "../paint.ts";

const MAX_VALUE_LENGTH = 60;

/** The parameter without which a keyword's message says too little. */
const PARAMETER_OF: ReadonlyMap<string, string> = new Map([
  ["additionalProperties", "additionalProperty"],
  ["unevaluatedProperties", "unevaluatedProperty"],
  ["enum", "allowedValues"],
  ["const", "allowedValue"],
]);

/** A call's outcome for a person. The input tells what stands where an issue points. */
export function outcomeText(outcome: ToolOutcome, input: unknown, paint: Paint): string {
  const lines = outcome.ok
    ? [...visibleLines(JSON.stringify(outcome.output, null, 2), ""), paint("green", "ok")]
    : failureLines(outcome, input, paint);
  const { durationMs, artifactVersion } = outcome;
  const meta = [
    ...(durationMs === undefined ? [] : [`${durationMs} ms`]),
    ...(artifactVersion === undefined ? [] : [`artifact ${visible(artifactVersion)}`]),
  ];
  if (meta.length === 0) return `${lines.join("\n")}\n`;
  const last = outcome.ok ? `${lines.pop()}  ` : "";
  return `${[...lines, last + paint("dim", meta.join(", "))].join("\n")}\n`;
}

function failureLines(outcome: FailedOutcome, input: unknown, paint: Paint): string[] {
  const { code, message, toolId, cause, issues = [] } = outcome;
  const isAboutInput = code === "input-validation-failed";
  const isUnknown = code === "tool-not-in-pack" && toolId !== undefined;
  return [
    `${paint("red", code)}  ${visible(message)}`,
    ...(isUnknown ? [`  not ${visible(JSON.stringify(toolId))}; info lists what it has`] : []),
    ...issues.map((issue) => issueLine(issue, isAboutInput ? input : undefined, paint)),
    ...(cause === undefined || cause === null ? [] : causeLines(cause, paint)),
  ];
}

function issueLine(issue: Issue, input: unknown, paint: Paint): string {
  const { instancePath, message } = issue;
  const value = input === undefined ? undefined : valueAt(input, instancePath);
  const path = instancePath === "" ? "(the whole value)" : instancePath;
  return `  ${paint("bold", visible(path))}  ${visible(message)}${named(issue)}${shown(value, paint)}`;
}

/** What Ajv's message leaves to its parameters: which member is too much, which values are allowed. */
function named({ keyword, params }: Issue): string {
  const name = keyword === undefined ? undefined : PARAMETER_OF.get(keyword);
  const value = name === undefined ? undefined : params?.[name];
  if (value === undefined) return "";
  const list = Array.isArray(value) ? value : [value];
  return `: ${cut(list.map((item) => visible(JSON.stringify(item))).join(", "))}`;
}

/** A short form of a value that is no object or list, whose own text says little. */
function shown(value: unknown, paint: Paint): string {
  if (value === undefined || (typeof value === "object" && value !== null)) return "";
  return paint("dim", `, not ${cut(visible(JSON.stringify(value)))}`);
}

function cut(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const segment of pointerSegments(pointer)) {
    if (!Array.isArray(value) && !isObject(value)) return undefined;
    if (!hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

function causeLines(cause: unknown, paint: Paint): string[] {
  const stack = isObject(cause) && typeof cause.stack === "string" ? cause.stack : "";
  const text = stack || JSON.stringify(cause);
  return visibleLines(text, "  ").map((line) => paint("dim", line));
}
