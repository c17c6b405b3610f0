// What the defence against patterns that backtrack without end costs: nanoseconds per test.
import { join } from "node:path";
import { runChild } from "./lib/child.mjs";
import { pinned } from "./lib/cores.mjs";
import { readOptions } from "./lib/options.mjs";
import { prepare } from "./lib/prepare.mjs";
import { numberText, print, printTable } from "./lib/print.mjs";
import { environment, saveResults } from "./lib/results.mjs";
import { withFolder } from "./lib/temporary-folder.mjs";
import { bundle } from "./lib/typescript.mjs";

const ARGUMENTS = {
  node: [],
  bun: ["run"],
  deno: ["run", "--no-prompt", "--allow-all", "--no-config"],
};

const SHOWN = 48;

const options = readOptions({});
const { runtime } = options;

function report(group, patterns) {
  print(`\n${runtime}, ${group}`);
  const rows = patterns.flatMap(({ source, rows: lengths }) =>
    lengths.map(({ length, native, ours, automaton }) => [
      source.length > SHOWN ? `${source.slice(0, SHOWN)}…` : source,
      length,
      native === undefined ? "" : numberText(native),
      numberText(ours),
      native === undefined ? "" : numberText(ours / native),
      numberText(automaton),
    ]),
  );
  printTable(["", "length", "native ns", "ours ns", "ours ÷ native", "automaton ns"], rows);
}

const host = { runtime, binary: await prepare(runtime) };
await withFolder(async (folder) => {
  const script = join(folder, "patterns.mjs");
  await bundle(new URL("patterns/run.mjs", import.meta.url), script);
  const command = pinned("server", [host.binary, ...ARGUMENTS[runtime], script]);
  const figures = JSON.parse(await runChild(command, { cwd: folder }));
  for (const [group, patterns] of Object.entries(figures)) report(group, patterns);
  saveResults(options, "patterns", { environment: environment(host), ...figures });
});
