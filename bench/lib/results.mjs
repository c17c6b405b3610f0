import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { BENCH, ROOT } from "./paths.mjs";
import { isPinned } from "./cores.mjs";

const PACKAGES = ["ajv", "autocannon", "elysia", "fastify", "hono", "mitata"];

/** What a figure depends on, without anything that names the machine. */
export function environment({ binary }) {
  const cores = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cores[0]?.model ?? "unknown",
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    isPinned,
    runtimeVersion: execFileSync(binary, ["--version"]).toString().split("\n")[0].trim(),
    packages: Object.fromEntries(PACKAGES.map((name) => [name, installedVersion(name)])),
    ourVersion: readJson(join(ROOT, "package.json")).version,
  };
}

function installedVersion(name) {
  return readJson(join(BENCH, "node_modules", name, "package.json")).version;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Puts entries into one section of a runtime's results; what the section holds beside them stays. */
export function saveResults({ runtime, results: folder }, section, entries) {
  const path = join(folder, `${runtime}.json`);
  const results = existsSync(path) ? readJson(path) : { runtime };
  results[section] = { ...results[section], ...entries };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
}
