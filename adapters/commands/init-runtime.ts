import process from "node:process";

export const INIT_RUNTIMES = ["node", "bun", "deno"] as const;

/** A runtime that a new pack's scripts can be for. */
export type InitRuntime = (typeof INIT_RUNTIMES)[number];

/** The runtime in use: the one that runs this, or whose package manager started it, as bunx starts Node. */
export function detectRuntime(
  environment: Readonly<Record<string, string | undefined>>,
): InitRuntime {
  const { versions } = process;
  if (versions.deno !== undefined) return "deno";
  if (versions.bun !== undefined) return "bun";
  const [manager = ""] = (environment.npm_config_user_agent ?? "").split("/");
  return INIT_RUNTIMES.find((name) => name === manager) ?? "node";
}

/** Whether a new pack's modules can be TypeScript: Node runs it from 22.18 on. */
export function runsTypeScript(runtime: InitRuntime): boolean {
  if (runtime !== "node") return true;
  const isNode = process.versions.bun === undefined && process.versions.deno === undefined;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return isNode && (major > 22 || (major === 22 && minor >= 18));
}

/** How each runtime starts the command line. */
const COMMAND: Readonly<Record<InitRuntime, string>> = {
  node: "pack-handler",
  bun: "bun run --bun pack-handler",
  deno: "deno run -A npm:pack-handler",
};

const TEST: Readonly<Record<InitRuntime, string>> = {
  node: "node --test",
  bun: "bun test",
  deno: "deno test -A --no-check",
};

/** The scripts of a new pack's package.json. */
export function scriptsOf(runtime: InitRuntime): Record<string, string> {
  const command = COMMAND[runtime];
  return {
    dev: `${command} dev`,
    index: `${command} index`,
    check: `${command} index --check`,
    test: TEST[runtime],
    start: `${command} serve --index index.json --host 127.0.0.1`,
  };
}
