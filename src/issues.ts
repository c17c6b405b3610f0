import type { Issue } from "./protocol.ts";

/** The end of an error's message that names its first issue: ` at /minLength: must be >= 0`. */
export function describeIssue(issue: Issue | undefined): string {
  if (!issue) return "";
  const place = issue.instancePath === "" ? "" : ` at ${issue.instancePath}`;
  return `${place}: ${issue.message}`;
}
