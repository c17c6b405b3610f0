import { join } from "node:path";
import { parseArgs } from "node:util";
import { BENCH } from "./paths.mjs";

export const RUNTIMES = ["node", "bun", "deno"];

/**
 * The command line `[node|bun|deno] --name value …`. Only names in `defaults` are known: a list is given by repeating its
 * name, a name whose default is `false` takes no value, and all others are counts.
 */
export function readOptions(defaults) {
  const entries = Object.entries(defaults).map(([name, value]) => [
    name,
    { type: value === false ? "boolean" : "string", multiple: Array.isArray(value) },
  ]);
  const options = { results: { type: "string" }, ...Object.fromEntries(entries) };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [runtime = "node", ...rest] = positionals;
  if (!RUNTIMES.includes(runtime) || rest.length > 0) {
    throw new Error(`"${positionals.join(" ")}" is none of ${RUNTIMES.join(", ")}`);
  }
  const { results = join(BENCH, "results"), ...given } = values;
  return { runtime, results, ...defaults, ...readCounts(given) };
}

function readCounts(given) {
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === "string" ? readCount(name, value) : value,
  ]);
  return Object.fromEntries(entries);
}

function readCount(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} must be an integer from 1, not "${text}"`);
}
