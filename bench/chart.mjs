// Draws docs/speed.svg and writes the README's table of ratios, both from what is in bench/results.
import { rmSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOptions } from "./lib/options.mjs";
import { ROOT } from "./lib/paths.mjs";
import { print } from "./lib/print.mjs";
import { readSpeed, speedChart, withSpeed } from "./lib/speed.mjs";

const { results } = readOptions({});
const speed = readSpeed(results);

const chartPath = join(ROOT, "docs/speed.svg");
const chart = speedChart(speed);
if (chart === undefined) rmSync(chartPath, { force: true });
else writeFileSync(chartPath, chart);

const readmePath = join(ROOT, "README.md");
writeFileSync(readmePath, withSpeed(readFileSync(readmePath, "utf8"), speed));

const runtimes = speed.map(({ runtime }) => runtime).join(", ") || "no runtime: run npm run bench";
print(`docs/speed.svg and README.md, with results of ${runtimes}`);
