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

const SERVICE_COMMANDS = {
  node: (binary) => [binary, "dist/node.js"],
  bun: (binary) => [binary, "run", "adapters/bun.ts"],
  deno: denoCommand,
};

/** The command line of the pack service, as its users start it. */
export function serviceCommand({ runtime, binary }, index) {
  return [...SERVICE_COMMANDS[runtime](binary), "--index", index, "--host", "127.0.0.1"];
}

/** What the task `serve` runs: the task itself would be a shell's process, not the server's. */
function denoCommand(binary) {
  const { tasks } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));
  const words = tasks.serve.command.split(/\s+/);
  const at = words.indexOf("deno");
  if (at < 0) throw new Error('the task "serve" of deno.json does not run "deno"');
  return ["env", ...words.with(at, binary)];
}
