// Draws results/chart.svg: what a small call costs on each runtime that there are results of.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chartSvg } from "./lib/chart-svg.mjs";
import { readOptions, RUNTIMES } from "./lib/options.mjs";
import { print } from "./lib/print.mjs";
import { OURS } from "./lib/variants.mjs";

const WORKLOAD = "in:1KiB";
const TITLES = { node: "Node", bun: "Bun", deno: "Deno" };

function group(runtime, { environment, variants }) {
  const [version] = /\d+\.\d+\.\d+/.exec(environment.runtimeVersion) ?? [""];
  const bars = Object.entries(variants).map(([name, { cpuUs }]) => ({
    name,
    value: cpuUs.median,
    isOurs: name === OURS,
  }));
  return { title: `${TITLES[runtime]} ${version}`, bars };
}

const { results } = readOptions({});
const groups = RUNTIMES.flatMap((runtime) => {
  const path = join(results, `${runtime}.json`);
  const entry = existsSync(path) && JSON.parse(readFileSync(path, "utf8")).http?.[WORKLOAD];
  return entry ? [group(runtime, entry)] : [];
});
if (groups.length === 0)
  throw new Error(`${results} has no results of ${WORKLOAD}: run http.mjs first`);

const path = join(results, "chart.svg");
const title = "Server CPU time of a 1 KiB call, µs; less is better";
writeFileSync(path, chartSvg({ title, groups }));
print(path);
