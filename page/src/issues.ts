import type { ErrorSchema } from "@rjsf/utils";
import { issueText } from "../../adapters/issue-text.ts";
import { pointerSegments } from "../../src/json.ts";
import type { Issue } from "../../src/protocol.ts";

/** A tree of messages by field, as the form shows them. */
export function errorsByField(issues: readonly Issue[]): ErrorSchema {
  const root: ErrorSchema = {};
  for (const issue of issues) {
    let node: ErrorSchema & { [field: string]: ErrorSchema } = root as never;
    for (const segment of fieldOf(issue)) {
      if (!Object.hasOwn(node, segment)) node[segment] = {};
      node = node[segment] as never;
    }
    const errors = node as ErrorSchema;
    errors.__errors = [...(errors.__errors ?? []), issueText(issue)];
  }
  return root;
}

/** What is missing has no place of its own in the input, but it has a field. */
function fieldOf({ instancePath, keyword, params }: Issue): string[] {
  const segments = pointerSegments(instancePath);
  const missing = keyword === "required" ? params?.missingProperty : undefined;
  return typeof missing === "string" ? [...segments, missing] : segments;
}
