// Each stage of a call in-process: nanoseconds, and bytes of heap.
import { join } from "node:path";
import { runChild } from "./lib/child.mjs";
import { pinned } from "./lib/cores.mjs";
import { readOptions } from "./lib/options.mjs";
import { prepare } from "./lib/prepare.mjs";
import { numberText, print, printTable } from "./lib/print.mjs";
import { environment, saveResults } from "./lib/results.mjs";
import { withFolder } from "./lib/temporary-folder.mjs";
import { bundle } from "./lib/typescript.mjs";

/** With a garbage collector that can be called, so that heap figures mean something. */
const ARGUMENTS = {
  node: ["--expose-gc"],
  bun: ["run"],
  deno: ["run", "--no-prompt", "--allow-all", "--no-config", "--v8-flags=--expose-gc"],
};

const options = readOptions({ workload: ["in:1KiB"] });
const { runtime } = options;

function report(name, stages) {
  print(`\n${runtime}, the stages of a call, ${name}`);
  const rows = Object.entries(stages).map(([stage, { nanoseconds, bytes }]) => [
    stage,
    numberText(nanoseconds),
    bytes === undefined ? "?" : numberText(bytes),
  ]);
  printTable(["", "ns, median", "bytes"], rows);
}

const host = { runtime, binary: await prepare(runtime) };
await withFolder(async (folder) => {
  const script = join(folder, "stages.mjs");
  await bundle(new URL("stages/run.mjs", import.meta.url), script);
  for (const name of options.workload) {
    const command = pinned("server", [host.binary, ...ARGUMENTS[runtime], script, name]);
    const stages = JSON.parse(await runChild(command, { cwd: folder }));
    report(name, stages);
    saveResults(options, "stages", { [name]: { environment: environment(host), stages } });
  }
});
