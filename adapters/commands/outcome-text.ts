import type { FailedOutcome, ToolOutcome } from "../../src/client.ts";
import { hasOwn, isObject, pointerSegments } from "../../src/json.ts";
import type { Issue } from "../../src/protocol.ts";
import { issueText, shortJson } from "../issue-text.ts";
import { visible, visibleLines } from "../paint.ts";
import type { Paint } from "../paint.ts";

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
  const { instancePath } = issue;
  const value = input === undefined ? undefined : valueAt(input, instancePath);
  const path = instancePath === "" ? "(the whole value)" : instancePath;
  return `  ${paint("bold", visible(path))}  ${issueText(issue)}${shown(value, paint)}`;
}

/** A short form of a value that is no object or list, whose own text says little. */
function shown(value: unknown, paint: Paint): string {
  if (value === undefined || (typeof value === "object" && value !== null)) return "";
  return paint("dim", `, not ${shortJson(value)}`);
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
