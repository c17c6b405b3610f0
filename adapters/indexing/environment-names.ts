import { isObject } from "../../src/json.ts";
import { byCodeUnits } from "./index-text.ts";

/** The environment names that pack code asks for. */
export interface EnvironmentNames {
  required: string[];
  optional: string[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * Reads the `env` of a configuration or a definition: `{ required?, optional? }`, or a list of required names. What is
 * wrong is added to `problems`. `KINDGI_*` is the service's own and can't be asked for.
 */
export function readEnvironmentNames(env: unknown, problems: string[]): EnvironmentNames {
  if (env === undefined) return { required: [], optional: [] };
  if (Array.isArray(env)) return { required: readNames(env, "env", problems), optional: [] };
  if (!isObject(env)) {
    problems.push(
      "env must be { required: [names], optional: [names] }, or a list of required names",
    );
    return { required: [], optional: [] };
  }
  return {
    required: readNames(env.required, "env.required", problems),
    optional: readNames(env.optional, "env.optional", problems),
  };
}

/** All names once, sorted; one that is required anywhere is required. */
export function joinEnvironmentNames(parts: readonly EnvironmentNames[]): EnvironmentNames {
  const required = new Set(parts.flatMap((part) => part.required));
  const optional = new Set(parts.flatMap((part) => part.optional));
  return {
    required: [...required].toSorted(byCodeUnits),
    optional: [...optional].filter((name) => !required.has(name)).toSorted(byCodeUnits),
  };
}

function readNames(list: unknown, place: string, problems: string[]): string[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    problems.push(`${place} must be a list of environment names`);
    return [];
  }
  return list.filter((name: unknown): name is string => {
    const problem = nameProblem(name);
    if (problem !== undefined) problems.push(`${place}: ${JSON.stringify(name)} ${problem}`);
    return problem === undefined;
  });
}

function nameProblem(name: unknown): string | undefined {
  if (typeof name !== "string" || !NAME.test(name)) {
    return "is no environment name: letters, digits, _ . and - are, not beginning with a digit";
  }
  // Some systems take names of any case for one.
  if (/^KINDGI_/i.test(name))
    return "is reserved: names that begin with KINDGI_ are the service's own";
  return undefined;
}
