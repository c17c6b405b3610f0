import { findEvaluate, findHandler, openResult } from "../../src/exports.ts";
import { isObject } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import { thrownMessage } from "../../src/thrown.ts";
import type { ListName } from "./discovery.ts";

/** What a module's default export can be. */
type Kind = "tool" | "check" | "data";

/** What belongs into each list. */
const KIND_OF: Readonly<Record<ListName, Kind>> = {
  tools: "tool",
  guardrails: "check",
  agents: "data",
  flows: "data",
};

const FOLDER_OF: Readonly<Record<Kind, string>> = {
  tool: "tools",
  check: "guardrails",
  data: "agents or flows",
};

const WANTED: Readonly<Record<ListName, string>> = {
  tools: "a tool's definition, such as defineTool({ id, input, output, handler })",
  guardrails: "a check's definition, such as defineCheck({ id, config, evaluate })",
  agents: "an agent's definition, an object with an id",
  flows: "a flow's definition, an object with an id",
};

/** A module's default export, out of a Result wrapper and of CommonJS's second `default`. */
export function openDefault(namespace: unknown): unknown {
  const exported = openResult((namespace as { default?: unknown } | undefined)?.default);
  const isInterop = isObject(exported) && exported.__esModule === true && "default" in exported;
  return isInterop ? openResult(exported.default) : exported;
}

/** The definition that a module of a list exports, or why it is none. */
export function readDefinition(
  namespace: unknown,
  list: ListName,
): { definition: JsonObject } | { problem: string } {
  const exported = openDefault(namespace);
  if (exported === undefined)
    return { problem: `has no default export; it must be ${WANTED[list]}` };
  if (!isObject(exported)) {
    const what =
      exported === null ? "null" : `a ${Array.isArray(exported) ? "list" : typeof exported}`;
    return { problem: `its default export is ${what}; it must be ${WANTED[list]}` };
  }
  if (isFailedResult(exported)) {
    return { problem: `its default export is a failed result: ${failureText(exported.error)}` };
  }
  const problem = kindProblem(namespace, exported, list);
  return problem === undefined ? { definition: exported } : { problem };
}

function kindProblem(
  namespace: unknown,
  definition: JsonObject,
  list: ListName,
): string | undefined {
  const wanted = KIND_OF[list];
  // Data may stand beside exports that mean nothing for it.
  const module = wanted === "data" ? { default: definition } : namespace;
  const isTool = findHandler(module) !== undefined;
  const isCheck = findEvaluate(module) !== undefined;
  if (wanted === "tool" && isTool) return undefined;
  if (wanted === "check" && isCheck) return undefined;
  if (isTool || isCheck) {
    const kind = isTool ? "tool" : "check";
    return `is a ${kind}, which belongs into ${FOLDER_OF[kind]}, not ${list}`;
  }
  if (wanted === "tool") return `has no handler function; it must be ${WANTED.tools}`;
  if (wanted === "check") return `has no evaluate function; it must be ${WANTED.guardrails}`;
  return undefined;
}

/** A Result wrapper around an error, as definition helpers return it that don't throw. */
function isFailedResult(value: JsonObject): boolean {
  return typeof value.kind === "string" && /^err/i.test(value.kind) && "error" in value;
}

function failureText(error: unknown): string {
  return isObject(error) && typeof error.message === "string"
    ? error.message
    : thrownMessage(error);
}
