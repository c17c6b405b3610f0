import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BENCH } from "../../bench/lib/paths.mjs";
import { readSpeed, speedChart, withSpeed } from "../../bench/lib/speed.mjs";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const chartUrl = new URL("../../docs/speed.svg", import.meta.url);
const speed = readSpeed(`${BENCH}results`);

const REMEDY = "differs from bench/results: npm run bench:chart makes it anew";

test("README.md says of speed what was measured", () => {
  expect(readme, `README.md ${REMEDY}`).toBe(withSpeed(readme, speed));
});

test("docs/speed.svg shows what was measured", () => {
  const chart = existsSync(chartUrl) ? readFileSync(chartUrl, "utf8") : undefined;
  expect(chart, `docs/speed.svg ${REMEDY}`).toBe(speedChart(speed));
});
