// Checks what is locked, what is published and what npm audit knows of it, in this project or in a folder given.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  auditProblems,
  installScriptProblems,
  integrityProblems,
  licenceProblems,
  manifestProblems,
  publishedProblems,
} from "./dependency-rules.mjs";

const AUDIT_LIMIT_MS = 60_000;
const MAX_OUTPUT_BYTES = 67_108_864;

const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
let failed = 0;

/** Prints a check's outcome. */
function report(what, problems) {
  console.log(`${problems.length === 0 ? "ok" : "FAILS"}  ${what}`);
  for (const problem of problems) console.log(`       ${problem}`);
  failed += problems.length;
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(root, ...path), "utf8"));
}

/** The folders with packages of their own, the root first. */
function lockedFolders() {
  const tests = join(root, "test");
  const below = existsSync(tests) ? readdirSync(tests).map((name) => join("test", name)) : [];
  return ["", ...below, "bench", "page"].filter((folder) =>
    existsSync(join(root, folder, "package-lock.json")),
  );
}

function npm(args, options = {}) {
  const command = process.platform === "win32" ? "npm.cmd" : "npm";
  const settings = { cwd: root, encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES, ...options };
  return spawnSync(command, args, settings);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkLockfiles() {
  for (const folder of lockedFolders()) {
    const name = join(folder, "package-lock.json");
    const lock = { ...readJson(folder, "package-lock.json"), isDevelopment: folder !== "" };
    const count = Object.keys(lock.packages).length - 1;
    report(`${name}: each of ${count} packages has its integrity`, integrityProblems(lock));
    report(`${name}: licences`, licenceProblems(lock));
    const manifest = readJson(folder, "package.json");
    report(`${name}: install scripts`, installScriptProblems(lock, manifest));
  }
}

function checkPublished() {
  report(
    "package.json: nothing runs when it is installed",
    manifestProblems(readJson("package.json")),
  );
  const packed = npm(["pack", "--dry-run", "--json", "--ignore-scripts"]);
  const [{ files } = {}] = parsed(packed.stdout) ?? [];
  if (files === undefined) return report("npm pack", [packed.stderr || "it gave no list of files"]);
  const paths = files.map(({ path }) => path);
  const read = (path) => readFileSync(join(root, path), "utf8");
  report(`published: what is in its ${paths.length} files`, publishedProblems(paths, read, root));
}

function checkAudit() {
  const { stdout, error } = npm(["audit", "--omit=dev", "--json", "--fetch-retries=0"], {
    timeout: AUDIT_LIMIT_MS,
  });
  const { leftOut, problems } = auditProblems(error ? { message: error.message } : parsed(stdout));
  if (problems) report("npm audit: nothing high or critical in what the service needs", problems);
  else console.log(`left out: npm audit: ${leftOut.trim().split("\n")[0]}`);
}

checkLockfiles();
checkPublished();
checkAudit();
process.exit(failed > 0 ? 1 : 0);
