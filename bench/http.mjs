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
  quick: false,
  workload: ["in:1KiB", "in:1MiB", "in:10MiB", "out:10MiB"],
  rounds: undefined,
  warmup: undefined,
  seconds: undefined,
  connections: undefined,
});
const { runtime } = options;

const LARGE_BYTES = 262_144;

/**
 * With large bodies, requests that are under way when the time is over count for much: there are fewer of them, and
 * more time.
 */
function loadFor(bytes, { quick }) {
  const isLarge = bytes > LARGE_BYTES;
  const connections = isLarge ? 2 : 32;
  if (quick) return { connections, rounds: isLarge ? 3 : 5, warmup: 1, seconds: isLarge ? 4 : 3 };
  return { connections, rounds: 7, warmup: 2, seconds: isLarge ? 10 : 5 };
}

/** What the command line says of the load. */
function given(options) {
  const names = ["rounds", "warmup", "seconds", "connections"];
  const said = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(said.map((name) => [name, options[name]]));
}

/** Loads a fresh server. Returns what a request cost it. */
async function measure(command, name, { task, bodyFile }) {
  const { seconds, connections, warmup } = task;
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
  const measured = await interleave(variants(host, task.tool), task.rounds, (command, name) =>
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

function report({ name, connections, seconds, rounds }, compared) {
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
  const load = { ...loadFor(task.bytes, options), ...given(options) };
  return { ...task, ...load };
});
const host = { runtime, binary: await prepare(runtime) };
await withFolder(async (folder) => {
  const bodyFile = join(folder, "body.json");
  for (const task of tasks) {
    writeFileSync(bodyFile, task.body);
    const compared = await compare(host, task, bodyFile);
    report(task, compared);
    const { rounds, seconds, warmup, connections } = task;
    const parameters = { rounds, seconds, warmup, connections, generator };
    const entry = { environment: environment(host), parameters, variants: compared };
    saveResults(options, "http", { [task.name]: entry });
  }
});
