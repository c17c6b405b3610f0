import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BENCH, ROOT } from "./paths.mjs";

/** What runs a script of ours on a runtime, with as little as it needs. */
const SCRIPT_ARGUMENTS = {
  node: [],
  bun: ["run"],
  deno: ["run", "--no-prompt", "--allow-env", "--allow-net=127.0.0.1", "--allow-read"],
};

/** The command line of a server in `bench/servers`. */
export function scriptCommand({ runtime, binary }, script, ...args) {
  return [binary, ...SCRIPT_ARGUMENTS[runtime], join(BENCH, "servers", script), ...args];
}

const SERVICE_ARGUMENTS = {
  node: () => ["dist/node.js"],
  bun: () => ["run", "adapters/bun.ts"],
  deno: denoArguments,
};

/** The command line of the pack service, as its users start it. */
export function serviceCommand({ runtime, binary }, index) {
  return [binary, ...SERVICE_ARGUMENTS[runtime](), "--index", index, "--host", "127.0.0.1"];
}

/** What the task `serve` runs: the task itself would be a shell's process, not the server's. */
function denoArguments() {
  const { tasks } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));
  const [deno, ...args] = tasks.serve.command.split(/\s+/);
  if (deno !== "deno") throw new Error('the task "serve" of deno.json does not begin with "deno"');
  return args;
}
