import type { Issue } from "../protocol.ts";
import type { Fill } from "./fill.ts";
import { issuesOf } from "./findings.ts";
import type { Finding } from "./findings.ts";

export type Verdict = { valid: true; value: unknown } | { valid: false; issues: Issue[] };

/** Judges a JSON value; never throws. */
export type Validate = (value: unknown) => Verdict;

/** The function that a schema is compiled to. It leaves what it found in `errors`. */
export interface Check {
  (value: unknown): unknown;
  errors?: readonly Finding[] | null;
}

/** The verdict of a boolean schema. */
export function constantValidator(valid: boolean): Validate {
  if (valid) return (value) => ({ valid, value });
  const issue: Issue = {
    instancePath: "",
    schemaPath: "#/false schema",
    keyword: "false schema",
    params: {},
    message: "boolean schema is false",
  };
  return () => ({ valid, issues: [issue] });
}

/** Judges a value by a compiled check, its defaults filled in where that keeps it valid. */
export function createValidator(check: Check, fill: Fill | undefined): Validate {
  return (value) => {
    const takeOut = fill?.(value);
    const verdict = judge(check, value);
    if (verdict.valid || takeOut === undefined) return verdict;
    takeOut();
    return judge(check, value);
  };
}

function judge(check: Check, value: unknown): Verdict {
  try {
    if (check(value)) return { valid: true, value };
    const issues = issuesOf(check.errors ?? []);
    check.errors = null;
    return { valid: false, issues };
  } catch (error) {
    // The stack overflows over a deep value, or a schema that refers to itself without end.
    const tooDeep = (error as Error).name === "RangeError";
    const message = tooDeep
      ? "must not be nested too deeply to be validated"
      : "can't be validated: its schema is beyond the validator";
    return { valid: false, issues: [{ instancePath: "", message }] };
  }
}
