// Calls of every kind at the concurrency cap, counted by id on both sides, and what the service's heap does meanwhile.
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { stopChild } from "./lib/child.mjs";
import { readOptions } from "./lib/options.mjs";
import { ROOT } from "./lib/paths.mjs";
import { numberText, print, printTable } from "./lib/print.mjs";
import { residentBytes } from "./lib/process-figures.mjs";
import { importTypeScript } from "./lib/typescript.mjs";
import { Caller } from "./soak-caller.mjs";
import { Ledger } from "./soak-ledger.mjs";
import { startService } from "./soak-service.mjs";

const MEBIBYTE = 1_048_576;
const MILLION = 1_000_000;
/** 1 MiB for a million calls. */
const MAX_BYTES_PER_CALL = MEBIBYTE / MILLION;
/** What two heaps differ by after the same collections; in a short run it is more than a million calls may leave. */
const NOISE_BYTES = 524_288;
const SAMPLES = 15;
/** Until then, the runtime still compiles, and its heap grows with the code. */
const WARM_UP_SHARE = 1 / 3;
const SETTLE_LIMIT_MS = 10_000;
/** More than the 32 slots, so that some calls are refused as overloaded. */
const CALLERS = 40;

/** Each kind of call, as often as its number says. */
const MIX = {
  ok: 60,
  throws: 8,
  wrongOutput: 4,
  wrongInput: 6,
  unknownTool: 2,
  noJson: 2,
  late: 4,
  lateAndDeaf: 2,
  badToken: 4,
  oversized: 2,
  abandoned: 4,
  cutOff: 2,
};
const kinds = Object.entries(MIX).flatMap(([kind, count]) => Array(count).fill(kind));
/** A body that is sent in full to be refused costs as much as a thousand calls. */
const LARGE_EVERY = 5_000;

const { runtime, seconds } = readOptions({ seconds: 600 });
const ledger = new Ledger();
let calls = 0;

async function prepare() {
  if (runtime === "node") {
    execFileSync("npm", ["run", "--silent", "build"], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return { runtime, binary: process.execPath };
  }
  const { requireRuntime } = await importTypeScript(
    new URL("../test/runtimes/runtimes.ts", import.meta.url),
  );
  return { runtime, binary: requireRuntime(runtime) };
}

const nextId = () => `soak-${(calls += 1)}`;

/** Keeps every caller calling until then, and waits for the last answers and records. */
async function callAll(end) {
  await Promise.all(Array.from({ length: CALLERS }, () => callUntil(end)));
  await settle();
}

async function callUntil(end) {
  while (performance.now() < end) {
    const id = nextId();
    const kind =
      calls % LARGE_EVERY === 0
        ? "oversizedInChunks"
        : kinds[Math.floor(Math.random() * kinds.length)];
    await caller[kind](id);
  }
}

/** Waits until every call has its answer and its record. */
async function settle() {
  const end = performance.now() + SETTLE_LIMIT_MS;
  while (ledger.unfinished.length > 0 && performance.now() < end) await sleep(20);
}

async function sample(pid) {
  const measured = await caller.measure(nextId());
  await settle();
  return { calls, residentBytes: residentBytes(pid), ...measured };
}

/**
 * What has grown from the first third of the samples to the last, each at its least, and over how many calls. What is
 * kept for good raises the least, too; what comes and goes doesn't.
 */
function growthOf(samples) {
  const third = Math.ceil(samples.length / 3);
  const [early, late] = [samples.slice(0, third), samples.slice(-third)];
  const growth = (read) => Math.min(...late.map(read)) - Math.min(...early.map(read));
  return {
    bytes: growth(({ heapBytes }) => heapBytes),
    timers: growth(({ waiting }) => waiting.timers ?? 0),
    listeners: growth(({ listeners }) => listeners),
    calls: middle(late).calls - middle(early).calls,
  };
}

function middle(samples) {
  return samples[Math.floor(samples.length / 2)];
}

function kibibytes(bytes) {
  return (bytes / 1_024).toFixed(0);
}

function report(samples, child, foreign) {
  const growth = growthOf(samples);
  const limit = growth.calls * MAX_BYTES_PER_CALL + NOISE_BYTES;
  print(
    `\n${runtime}, ${seconds} s, ${CALLERS} callers: ${ledger.calls} calls, ${ledger.records} records`,
  );
  printTable(
    ["outcome", "calls"],
    [...ledger.outcomes].toSorted((a, b) => b[1] - a[1]),
  );
  print();
  printTable(
    ["calls", "heap MiB", "resident MiB", "listeners", "waiting"],
    samples.map((each) => [
      each.calls,
      numberText(each.heapBytes / MEBIBYTE),
      numberText(each.residentBytes / MEBIBYTE),
      each.listeners,
      JSON.stringify(each.waiting),
    ]),
  );
  const unfinished = ledger.unfinished.length;
  const checks = [
    [
      "one answer and one record for each call",
      unfinished === 0 && ledger.problems.length === 0,
      `${unfinished} unfinished, ${ledger.problems.length} wrong`,
    ],
    [
      `heap growth over ${growth.calls} calls, KiB (at most ${kibibytes(limit)})`,
      growth.bytes <= limit,
      kibibytes(growth.bytes),
    ],
    [
      "the same for a million calls, MiB",
      true,
      numberText((growth.bytes / growth.calls) * (MILLION / MEBIBYTE)),
    ],
    ["listeners left", growth.listeners <= 0, growth.listeners],
    ["timers left", growth.timers <= 0, growth.timers],
    ["lines on stderr that are no record", foreign.length === 0, foreign.length],
    ["exit code after SIGTERM", child.exitCode === 0, child.exitCode ?? child.signalCode],
  ];
  print();
  printTable(
    ["holds", "found", ""],
    checks.map(([what, holds, found]) => [what, found, holds ? "ok" : "FAILS"]),
  );
  for (const problem of [...ledger.problems, ...foreign.slice(0, 10)]) print(`  ${problem}`);
  return checks.every(([, holds]) => holds);
}

const caller = new Caller(ledger);
const { child, port, foreign } = await startService(await prepare(), (record) =>
  caller.onRecord(record),
);
caller.port = port;
const runMs = seconds * 1_000;
const start = performance.now() + runMs * WARM_UP_SHARE;
await callAll(start);
const samples = [];
for (let index = 1; index <= SAMPLES; index++) {
  await callAll(start + (runMs * (1 - WARM_UP_SHARE) * index) / SAMPLES);
  samples.push(await sample(child.pid));
}
await stopChild(child);
await settle();
process.exit(report(samples, child, foreign) ? 0 : 1);
