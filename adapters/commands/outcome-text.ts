import type { FailedOutcome, ToolOutcome } from "../../src/client.ts";
import { hasOwn, isObject, pointerSegments } from "../../src/json.ts";
import type { Issue } from "../../src/protocol.ts";
import { visible, visibleLines } from "../paint.ts";
import type { Paint } from "../paint.ts";

const MAX_VALUE_LENGTH = 60;

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
  const { code, message, cause, issues = [] } = outcome;
  const isAboutInput = code === "input-validation-failed";
  return [
    `${paint("red", code)}  ${visible(message)}`,
    ...issues.map((issue) => issueLine(issue, isAboutInput ? input : undefined, paint)),
    ...(cause === undefined || cause === null ? [] : causeLines(cause, paint)),
  ];
}

function issueLine({ instancePath, message }: Issue, input: unknown, paint: Paint): string {
  const value = input === undefined ? undefined : valueAt(input, instancePath);
  const path = instancePath === "" ? "(the whole value)" : instancePath;
  return `  ${paint("bold", visible(path))}  ${visible(message)}${shown(value, paint)}`;
}

/** A short form of a value that is no object or list, whose own text says little. */
function shown(value: unknown, paint: Paint): string {
  if (value === undefined || (typeof value === "object" && value !== null)) return "";
  const text = visible(JSON.stringify(value));
  const cut = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
  return paint("dim", `, not ${cut}`);
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
