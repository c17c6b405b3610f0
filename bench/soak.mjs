// Calls of every kind at the concurrency cap, counted by id on both sides, and what the service's heap does meanwhile.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readOptions } from "./lib/options.mjs";
import { ROOT } from "./lib/paths.mjs";
import { numberText, print, printTable } from "./lib/print.mjs";
import { importTypeScript } from "./lib/typescript.mjs";
import { checkSoak, growthOf, MEBIBYTE, MILLION } from "./soak-checks.mjs";
import { CALLERS, runSoak } from "./soak-run.mjs";

const { runtime, seconds } = readOptions({ seconds: 600 });

async function findHost() {
  if (runtime === "node") {
    if (!existsSync(join(ROOT, "dist/node.js"))) throw new Error("No dist/: run npm run build");
    return { runtime, binary: process.execPath };
  }
  const { requireRuntime } = await importTypeScript(
    new URL("../test/runtimes/runtimes.ts", import.meta.url),
  );
  return { runtime, binary: requireRuntime(runtime) };
}

function report(soak) {
  const { ledger, samples, foreign } = soak;
  const { bytes, calls } = growthOf(samples);
  print(
    `\n${runtime}, ${seconds} s, ${CALLERS} callers: ${ledger.calls} calls, ${ledger.records} records`,
  );
  printTable(
    ["outcome", "calls"],
    [...ledger.outcomes].toSorted((a, b) => b[1] - a[1]),
  );
  print();
  printTable(
    ["calls", "heap MiB", "resident MiB", "listeners", "waiting"],
    samples.map((each) => [
      each.calls,
      numberText(each.heapBytes / MEBIBYTE),
      numberText(each.residentBytes / MEBIBYTE),
      each.listeners,
      JSON.stringify(each.waiting),
    ]),
  );
  print(
    `\n  ${numberText((bytes / calls) * (MILLION / MEBIBYTE))} MiB of heap for a million calls\n`,
  );
  const checks = checkSoak(soak);
  printTable(
    ["holds", "found", ""],
    checks.map(({ what, found, holds }) => [what, found, holds ? "ok" : "FAILS"]),
  );
  for (const problem of [...ledger.problems, ...foreign.slice(0, 10)]) print(`  ${problem}`);
  return checks.every(({ holds }) => holds);
}

try {
  const host = await findHost();
  process.exit(report(await runSoak({ ...host, seconds, onProgress: print })) ? 0 : 1);
} catch (error) {
  print(error.message);
  process.exit(1);
}
