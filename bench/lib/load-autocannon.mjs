// Runs autocannon and prints its figures. The latencies are taken one by one: its own are whole milliseconds.
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const options = JSON.parse(process.argv[2]);
const body = readFileSync(process.env.BENCH_BODY_FILE);
const run = autocannon({ ...options, method: "POST", body, timeout: 60 });

const latenciesMs = [];
let notOk = 0;
run.on("response", (_client, status, _bytes, latencyMs) => {
  latenciesMs.push(latencyMs);
  if (status !== 200) notOk += 1;
});

const startedAt = performance.now();
const { errors, timeouts } = await run;
const seconds = (performance.now() - startedAt) / 1_000;
const sorted = Float64Array.from(latenciesMs).toSorted();
const percentile = (share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
const figures = {
  requests: sorted.length,
  seconds,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
  failures: notOk + errors + timeouts,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
