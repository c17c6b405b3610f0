// What each way of embedding costs: the examples of docs/embedding.md beside the service as a process, in one run.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generator, runLoad } from "./lib/load.mjs";
import { readOptions } from "./lib/options.mjs";
import { BENCH, ROOT } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { print, printTable, spreadText } from "./lib/print.mjs";
import { cpuMicroseconds } from "./lib/process-figures.mjs";
import { environment, saveResults } from "./lib/results.mjs";
import { checkSameWork } from "./lib/same-work.mjs";
import { withServer } from "./lib/server.mjs";
import { scriptCommand, serviceCommand } from "./lib/service-command.mjs";
import { summarize } from "./lib/statistics.mjs";
import { withFolder } from "./lib/temporary-folder.mjs";
import { importTypeScript } from "./lib/typescript.mjs";
import { interleave } from "./lib/variants.mjs";
import { workload } from "./lib/workloads.mjs";

const PROCESS = "process";

const options = readOptions({ rounds: 5, warmup: 2, seconds: 5, connections: 32 });
const { runtime, rounds, warmup, seconds, connections } = options;

/** What is compared: name → a server's command line and where it has the pack. */
function variants(host, { WAYS, BASE_PATH }, { snippet, folder }) {
  const ways = WAYS.filter((way) => way.runtime === runtime && way.platform === undefined);
  // No records: the process writes them, and an example leaves that to its app.
  const service = ["env", "KINDGI_LOG_LEVEL=error"].concat(
    serviceCommand(host, join(BENCH, "pack/index.json")),
  );
  return new Map([
    [PROCESS, { command: service, basePath: "" }],
    ...ways.map(({ name }) => {
      const command = scriptCommand(host, "embedded.mjs", folder.lay(snippet(name)));
      return [name, { command, basePath: BASE_PATH }];
    }),
  ]);
}

/** Loads a fresh server. Returns the CPU time that a request cost it, in microseconds. */
async function measure({ command, basePath }, task, bodyFile) {
  return withServer(command, async ({ port, pid }) => {
    await checkSameWork(port, task, { isChecking: true, basePath });
    const load = { port, basePath, bodyFile, connections };
    await runLoad({ ...load, seconds: warmup });
    const before = cpuMicroseconds(pid);
    const { requests } = await runLoad({ ...load, seconds });
    return (cpuMicroseconds(pid) - before) / requests;
  });
}

function compare(measured) {
  const base = measured.get(PROCESS);
  return Object.fromEntries(
    [...measured].map(([name, cpuUs]) => {
      const relative = summarize(cpuUs.map((value, round) => value / base[round]));
      return [name, { cpuUs: summarize(cpuUs), relative }];
    }),
  );
}

const host = { runtime, binary: await prepare(runtime) };
execFileSync(process.execPath, ["test/install.mjs", "embedding"], { cwd: ROOT, stdio: "inherit" });
const embedding = (name) =>
  importTypeScript(new URL(`../test/embedding/${name}.ts`, import.meta.url));
const ways = await embedding("ways");
const { snippet, SnippetFolder } = await embedding("snippets");
const folder = new SnippetFolder();
process.once("exit", () => folder.remove());
await withFolder(async (temporary) => {
  const task = workload("in:1KiB");
  const bodyFile = join(temporary, "body.json");
  writeFileSync(bodyFile, task.body);
  const measured = await interleave(variants(host, ways, { snippet, folder }), rounds, (variant) =>
    measure(variant, task, bodyFile),
  );
  const compared = compare(measured);
  print(`\n${runtime}, 1 KiB calls, ${connections} connections, ${rounds} rounds by ${generator}`);
  printTable(
    ["", "CPU µs/request", `÷ ${PROCESS}`],
    Object.entries(compared).map(([name, { cpuUs, relative }]) => [
      name,
      spreadText(cpuUs),
      spreadText(relative),
    ]),
  );
  const parameters = { rounds, seconds, warmup, connections, generator };
  const entry = { environment: environment(host), parameters, variants: compared };
  saveResults(options, "embedding", { "in:1KiB": entry });
});
