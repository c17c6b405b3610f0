// Installs what the tests need, builds, and runs the tests: every step, or those named on the command line.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The vitest projects of each step. */
const STEPS = {
  unit: ["unit", "data", "contract", "in-process", "fuzz"],
  node20: ["node20"],
  node22: ["node22"],
  node24: ["node24"],
  node26: ["node26"],
  bun: ["bun"],
  deno: ["deno"],
  embedding: ["embedding"],
  dev: ["dev"],
  edge: ["edge-workerd", "edge-node", "edge-bun", "edge-deno", "edge-example"],
  page: ["page"],
  hostile: ["hostile"],
  soak: ["soak"],
};

const LAST = ["hostile", "soak"];

/** What runs when nothing is named. The steps of a group run side by side. */
const GROUPS = [Object.keys(STEPS).filter((name) => !LAST.includes(name)), LAST];

const root = fileURLToPath(new URL("..", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

function run(command, args, env = {}) {
  const options = { cwd: root, stdio: "inherit", env: { ...process.env, ...env } };
  return spawnSync(command, args, options).status === 0;
}

/**
 * Runs the projects of steps. Files with a failed test are run once more, by themselves: a machine that is too busy for a
 * process to answer in time is no fault of the project. Returns the results of each test, and every error outside one.
 */
function runSteps(names, folder) {
  console.log(`\n== ${names.join(", ")}`);
  const projects = names.flatMap((name) => STEPS[name]).flatMap((name) => ["--project", name]);
  const first = runVitest(projects, join(folder, `${names[0]}.json`));
  const failures = failuresOf(first);
  const files = new Set(failures.flatMap(({ file }) => file ?? []));
  if (files.size === 0) return first;
  const paths = [...files].map((file) => relative(root, file));
  console.log(`\n== once more, alone: ${paths.join(", ")}`);
  const second = runVitest([...projects, ...paths], join(folder, `${names[0]}-again.json`));
  const again = new Set(failuresOf(second).map(({ file }) => file));
  failures
    .filter(({ file }) => files.has(file) && !again.has(file))
    .forEach(printFailure("Passed only when run alone"));
  const isElsewhere = ({ file }) => !files.has(file);
  return {
    tests: [...first.tests.filter(isElsewhere), ...second.tests],
    errors: [...first.errors.filter(isElsewhere), ...second.errors],
  };
}

/** Runs what the arguments name. A run that failed has a failure in what it returns, whatever it ended of. */
function runVitest(args, path) {
  const reporters = ["--reporter=default", "--reporter=./test/results.mjs"];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const env = { TEST_RESULTS: path };
  const isGreen = run(process.execPath, [vitest, "run", ...args, ...reporters], env);
  const results = existsSync(path)
    ? JSON.parse(readFileSync(path, "utf8"))
    : { tests: [], errors: [] };
  const isTold = isGreen && countOf(results, "passed") > 0;
  if (!isTold && failuresOf(results).length === 0) {
    results.errors.push({ message: `vitest ended without a result: ${args.join(" ")}` });
  }
  return results;
}

function failuresOf({ tests, errors }) {
  return [...tests.filter(({ state }) => state === "failed"), ...errors];
}

function countOf({ tests }, state) {
  return tests.filter((test) => test.state === state).length;
}

function printFailure(title) {
  return ({ file, name, message = "" }) => {
    const place = [file && relative(root, file), name].filter(Boolean).join(" > ");
    console.log(`${title}: ${place || "outside any test"}\n  ${message.slice(0, 500)}`);
  };
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0) {
  console.error(`Unknown step ${unknown.join(", ")}; known are ${Object.keys(STEPS).join(", ")}`);
  process.exit(1);
}
const isReady =
  ["runtimes", "embedding", "libraries"].every((folder) =>
    run(process.execPath, ["test/install.mjs", folder]),
  ) && run(npm, ["run", "--silent", "build"]);
if (!isReady) process.exit(1);
if (!process.env.PACK_TEST_DATA) {
  console.log("PACK_TEST_DATA names no folder: the tests on real tool schemas are left out.");
}

/** What a step needs beside the build. Returns whether it can run. */
function prepare(name) {
  if (name !== "page") return true;
  const chromium = process.env.PACK_TEST_CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(chromium)) {
    console.log(`There is no ${chromium}: the tests of the page in a browser are left out.`);
    return false;
  }
  const isPrepared =
    run(process.execPath, ["test/install.mjs", "browser"]) &&
    run(npm, ["run", "--silent", "build:page"]);
  if (!isPrepared) process.exit(1);
  return true;
}

const folder = mkdtempSync(join(tmpdir(), "pack-handler-test-"));
const all = { tests: [], errors: [] };
for (const group of asked.length > 0 ? [asked] : GROUPS) {
  const names = group.filter(prepare);
  if (names.length === 0) continue;
  const { tests, errors } = runSteps(names, folder);
  all.tests.push(...tests);
  all.errors.push(...errors);
}
rmSync(folder, { recursive: true });
const failures = failuresOf(all);
failures.forEach(printFailure("Failed"));
console.log(`\n${countOf(all, "passed")} passed, ${failures.length} failed`);
process.exit(failures.length > 0 ? 1 : 0);
