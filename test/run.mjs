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

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0;
}

/**
 * Runs the projects of steps. Files with a failed test are run once more, by themselves: a machine that is too busy for a
 * process to answer in time is no fault of the project. Returns how many tests passed and failed; if none ran, that has
 * failed.
 */
function runSteps(names, folder) {
  console.log(`\n== ${names.join(", ")}`);
  const projects = names.flatMap((name) => STEPS[name]).flatMap((name) => ["--project", name]);
  const first = runVitest(projects, join(folder, `${names[0]}.json`));
  const files = first.results.filter(({ status }) => status === "failed");
  if (files.length === 0) return first;
  const paths = files.map(({ name }) => relative(root, name));
  console.log(`\n== once more, alone: ${paths.join(", ")}`);
  const second = runVitest([...projects, ...paths], join(folder, `${names[0]}-again.json`));
  for (const { fullName } of second.failed === 0 ? testsOf(files, "failed") : []) {
    console.log(`Passed only when run alone: ${fullName}`);
  }
  return {
    passed: first.passed - testsOf(files, "passed").length + second.passed,
    failed: second.failed,
  };
}

/** Runs what the arguments name. Returns the results of each file, and how many tests passed and failed. */
function runVitest(args, report) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const isGreen = run(process.execPath, [vitest, "run", ...args, ...reporters]);
  const { numPassedTests, numFailedTests, testResults } = readReport(report);
  return {
    passed: numPassedTests,
    failed: numFailedTests || (isGreen && numPassedTests > 0 ? 0 : 1),
    results: testResults,
  };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
}

function testsOf(files, status) {
  return files.flatMap(({ assertionResults }) =>
    assertionResults.filter((test) => test.status === status),
  );
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
let passed = 0;
let failed = 0;
for (const group of asked.length > 0 ? [asked] : GROUPS) {
  const names = group.filter(prepare);
  if (names.length === 0) continue;
  const result = runSteps(names, folder);
  passed += result.passed;
  failed += result.failed;
}
rmSync(folder, { recursive: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
