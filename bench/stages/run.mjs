// Times the stages in this process; started by stages.mjs, as one bundle, on each runtime.
import process from "node:process";
import { bench, run } from "mitata";
import index from "../pack/index.json";
import * as makeDocuments from "../pack/tools/make-documents.mjs";
import * as measureDocuments from "../pack/tools/measure-documents.mjs";
import { workload } from "../lib/workloads.mjs";
import { createStages } from "./stages.ts";

const { body, answer } = workload(process.argv[2]);
const modules = {
  "tools/make-documents.mjs": makeDocuments,
  "tools/measure-documents.mjs": measureDocuments,
};

const stages = createStages({ index, modules, body, output: answer.output });
for (const [name, stage] of stages) bench(name, stage);

const { benchmarks } = await run({ format: "quiet", throw: true });
const figures = benchmarks.map(({ runs: [{ name, stats }] }) => [
  name,
  { nanoseconds: stats.p50, bytes: stats.heap?.avg },
]);
process.stdout.write(`${JSON.stringify(Object.fromEntries(figures))}\n`);
process.exit(0);
