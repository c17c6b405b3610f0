// The whole service over HTTP, against the runtime's bare server and against a peer.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generator, runLoad } from "./lib/load.mjs";
import { readOptions } from "./lib/options.mjs";
import { prepare } from "./lib/prepare.mjs";
import { numberText, print, printTable, spreadText } from "./lib/print.mjs";
import { cpuMicroseconds } from "./lib/process-figures.mjs";
import { environment, saveResults } from "./lib/results.mjs";
import { checkSameWork } from "./lib/same-work.mjs";
import { withServer } from "./lib/server.mjs";
import { summarize, summarizeMembers } from "./lib/statistics.mjs";
import { withFolder } from "./lib/temporary-folder.mjs";
import { FLOOR, interleave, OURS, variants } from "./lib/variants.mjs";
import { workload } from "./lib/workloads.mjs";

const options = readOptions({
  rounds: 7,
  warmup: 2,
  workload: ["in:1KiB", "in:1MiB", "in:10MiB", "out:10MiB"],
  // By the size of the workload's bodies.
  seconds: undefined,
  connections: undefined,
});
const { runtime, rounds, warmup } = options;

/** Loads a fresh server. Returns what a request cost it. */
async function measure(command, name, { task, bodyFile }) {
  const { seconds, connections } = task;
  return withServer(command, async ({ port, pid }) => {
    await checkSameWork(port, task, { isChecking: name !== FLOOR });
    const load = { port, bodyFile, connections };
    await runLoad({ ...load, seconds: warmup });
    const before = cpuMicroseconds(pid);
    const { requests, seconds: took, p50Ms, p99Ms } = await runLoad({ ...load, seconds });
    if (requests === 0)
      throw new Error(`nothing was answered within ${seconds} s: give more --seconds`);
    const cpuUs = (cpuMicroseconds(pid) - before) / requests;
    return { cpuUs, requestsPerSecond: requests / took, p50Ms, p99Ms };
  });
}

async function compare(host, task, bodyFile) {
  const measured = await interleave(variants(host, task.tool), rounds, (command, name) =>
    measure(command, name, { task, bodyFile }),
  );
  const ours = measured.get(OURS);
  return Object.fromEntries(
    [...measured].map(([name, figures]) => [
      name,
      { ...summarizeMembers(figures), ...(name === OURS ? {} : { ours: ratios(ours, figures) }) },
    ]),
  );
}

/**
 * How ours compares, by figures of the same round: over 1, it takes less CPU time and answers more; p99 is ours
 * divided by theirs, so less is better.
 */
function ratios(ours, theirs) {
  const ratio = (of) => summarize(ours.map((own, round) => of(own, theirs[round])));
  return {
    cpu: ratio((own, other) => other.cpuUs / own.cpuUs),
    throughput: ratio((own, other) => own.requestsPerSecond / other.requestsPerSecond),
    p99: ratio((own, other) => own.p99Ms / other.p99Ms),
  };
}

function report({ name, connections, seconds }, compared) {
  const columns = ["CPU µs/request", "ours: CPU ×", "req/s", "ours: req/s ×"];
  const head = ["", ...columns, "p50 ms", "p99 ms", "ours: p99 ÷"];
  const rows = Object.entries(compared).map(([variant, figures]) => [
    variant,
    spreadText(figures.cpuUs),
    figures.ours ? spreadText(figures.ours.cpu) : "",
    numberText(figures.requestsPerSecond.median),
    figures.ours ? numberText(figures.ours.throughput.median) : "",
    numberText(figures.p50Ms.median),
    numberText(figures.p99Ms.median),
    figures.ours ? numberText(figures.ours.p99.median) : "",
  ]);
  const load = `${connections} connections, ${rounds} rounds of ${seconds} s by ${generator}`;
  print(`\n${runtime}, ${name}, ${load}`);
  printTable(head, rows);
}

const tasks = options.workload.map((name) => {
  const task = workload(name);
  const { seconds = task.seconds, connections = task.connections } = options;
  return { ...task, seconds, connections };
});
const host = { runtime, binary: await prepare(runtime) };
await withFolder(async (folder) => {
  const bodyFile = join(folder, "body.json");
  for (const task of tasks) {
    writeFileSync(bodyFile, task.body);
    const compared = await compare(host, task, bodyFile);
    report(task, compared);
    const { seconds, connections } = task;
    const parameters = { rounds, seconds, warmup, connections, generator };
    const entry = { environment: environment(host), parameters, variants: compared };
    saveResults(options, "http", { [task.name]: entry });
  }
});
