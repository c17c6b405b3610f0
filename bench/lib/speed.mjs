import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chartSvg } from "./chart-svg.mjs";
import { RUNTIMES } from "./options.mjs";
import { numberText } from "./print.mjs";
import { FLOOR, OURS } from "./variants.mjs";

const SMALL = "in:1KiB";
const WORKLOADS = {
  [SMALL]: "1 KiB in",
  "in:1MiB": "1 MiB in",
  "in:10MiB": "10 MiB in",
  "out:10MiB": "10 MiB out",
};
const NAMES = { node: "Node", bun: "Bun", deno: "Deno" };
const FLOORS = { node: "bare `node:http`", bun: "bare `Bun.serve`", deno: "bare `Deno.serve`" };
const MARKERS = ["<!-- speed -->", "<!-- /speed -->"];

/** The results of each runtime that has them, over HTTP, in a folder. */
export function readSpeed(folder) {
  return RUNTIMES.flatMap((runtime) => {
    const path = join(folder, `${runtime}.json`);
    const http = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).http : undefined;
    return http?.[SMALL] ? [{ runtime, http }] : [];
  });
}

/** A picture of what a small call costs; undefined without results. */
export function speedChart(speed) {
  if (speed.length === 0) return undefined;
  const groups = speed.map(({ runtime, http }) => ({
    title: titleOf(runtime, http),
    bars: Object.entries(http[SMALL].variants).map(([name, { cpuUs }]) => ({
      name: name === FLOOR ? FLOORS[runtime].replaceAll("`", "") : name,
      value: cpuUs.median,
      isOurs: name === OURS,
    })),
  }));
  const title = "Server CPU time of a call, µs";
  const note = "1 KiB of JSON by POST. Less is better.";
  return chartSvg({ title, note, groups });
}

/** A README with the text between its markers made anew. */
export function withSpeed(readme, speed) {
  const [start, end] = MARKERS.map((marker) => readme.indexOf(marker));
  if (start === -1 || end < start) throw new Error(`README.md lacks ${MARKERS.join(" … ")}`);
  const before = readme.slice(0, start + MARKERS[0].length);
  return `${before}\n\n${speedText(speed)}\n\n${readme.slice(end)}`;
}

function speedText(speed) {
  if (speed.length === 0) return "No figures are kept yet: `npm run bench` measures them.";
  const figures = speed.flatMap(({ runtime, http }) =>
    Object.keys(http[SMALL].variants)
      .filter((name) => name !== OURS)
      .map((name) => rowOf(runtime, http, name)),
  );
  const head = ["on", "against", ...Object.values(WORKLOADS), "p99"];
  return [
    `![${altOf(speed)}](docs/speed.svg)`,
    tableText([head, ...figures]),
    `Of each workload, their server's CPU time divided by ours: over 1, ours takes less. p99: ours divided by theirs, of 1 KiB calls over
${http(speed).parameters.connections} connections; under 1, ours is sooner. ${placeOf(speed)}`,
  ].join("\n\n");
}

function rowOf(runtime, http, name) {
  const ratios = Object.keys(WORKLOADS).map((workload) => {
    const ratio = http[workload]?.variants[name]?.ours.cpu.median;
    return ratio === undefined ? "" : numberText(ratio);
  });
  const p99 = numberText(http[SMALL].variants[name].ours.p99.median);
  return [
    titleOf(runtime, http),
    name === FLOOR ? FLOORS[runtime] : namedPeer(name, http),
    ...ratios,
    p99,
  ];
}

/** A peer with its version: `fastify 5.6.2 + pino`. */
function namedPeer(name, http) {
  const [first, ...rest] = name.split(" ");
  const version = http[SMALL].environment.packages[first];
  return [first, version, ...rest].join(" ");
}

function titleOf(runtime, http) {
  const [version] = /\d+\.\d+\.\d+/.exec(http[SMALL].environment.runtimeVersion) ?? [""];
  return `${NAMES[runtime]} ${version}`;
}

function altOf(speed) {
  const costs = speed.map(({ runtime, http }) => {
    const cost = numberText(http[SMALL].variants[OURS].cpuUs.median);
    return `${NAMES[runtime]} ${cost}`;
  });
  return `Server CPU time of a 1 KiB call, in microseconds: ${costs.join(", ")}`;
}

function placeOf(speed) {
  const { date, cpu, isPinned } = http(speed).environment;
  return `Measured ${date}, ${cpu}${isPinned ? ", on one core" : ""}.`;
}

function http(speed) {
  return speed[0].http[SMALL];
}

/** A table as the formatter leaves it: columns of equal width. */
function tableText(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const [head, ...body] = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])));
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
