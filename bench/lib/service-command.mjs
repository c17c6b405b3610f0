import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BENCH, ROOT } from "./paths.mjs";

/** What runs a script of ours on a runtime, with as little as it needs, and with what a service's process is given. */
const SCRIPT_COMMANDS = {
  node: (binary) => [binary],
  bun: (binary) => [binary, "run"],
  deno: (binary) => [
    ...denoTask().environment,
    ...[binary, "run", "--no-prompt", "--allow-env", "--allow-net=127.0.0.1", "--allow-read"],
  ],
};

/** The command line of a server in `bench/servers`. */
export function scriptCommand({ runtime, binary }, script, ...args) {
  return [...SCRIPT_COMMANDS[runtime](binary), join(BENCH, "servers", script), ...args];
}

const SERVICE_COMMANDS = {
  node: (binary) => [binary, "dist/node.js"],
  bun: (binary) => [binary, "run", "adapters/bun.ts"],
  deno: (binary) => [...denoTask().environment, binary, ...denoTask().args],
};

/** The command line of the pack service, as its users start it. */
export function serviceCommand({ runtime, binary }, index) {
  return [...SERVICE_COMMANDS[runtime](binary), "--index", index, "--host", "127.0.0.1"];
}

/** What the task `serve` runs, and in what environment: the task itself would be a shell's process, not the server's. */
function denoTask() {
  const { tasks } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));
  const words = tasks.serve.command.split(/\s+/);
  const at = words.indexOf("deno");
  if (at < 0) throw new Error('the task "serve" of deno.json does not run "deno"');
  return { environment: ["env", ...words.slice(0, at)], args: words.slice(at + 1) };
}
