import { entries, hasOwn } from "./captured.ts";
import { isObject } from "./json.ts";
import type { Issue } from "./protocol.ts";

/** What a check's result must hold (contract §2), by member. */
const MEMBERS = {
  passed: "boolean",
  reason: "string",
  judgeResponse: "string",
  attributes: "object",
} as const;

/** What is wrong with a check's result, in the words of a JSON Schema validator. */
export function checkResultIssues(result: unknown): Issue[] {
  if (!isObject(result)) return [typeIssue("", "#/type", "object")];
  if (!hasOwn(result, "passed")) {
    return [
      {
        instancePath: "",
        schemaPath: "#/required",
        keyword: "required",
        params: { missingProperty: "passed" },
        message: "must have required property 'passed'",
      },
    ];
  }
  return entries(MEMBERS)
    .filter(([name, type]) => hasOwn(result, name) && !isOfType(result[name], type))
    .map(([name, type]) => typeIssue(`/${name}`, `#/properties/${name}/type`, type));
}

function isOfType(value: unknown, type: "boolean" | "string" | "object"): boolean {
  return type === "object" ? isObject(value) : typeof value === type;
}

function typeIssue(instancePath: string, schemaPath: string, type: string): Issue {
  return {
    instancePath,
    schemaPath,
    keyword: "type",
    params: { type },
    message: `must be ${type}`,
  };
}
