// Fuzzes one target for long, guided by coverage: node test/fuzz/long.mjs TARGET [--seconds 60] [--seed N]
// An input that reaches a new block of src/ is kept and mutated further. One that fails is saved to the corpus.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** The targets and mutators as one script, whose coverage is measured. */
async function load(folder) {
  const outfile = join(folder, "fuzz.mjs");
  const contents = ["targets", "mutate", "corpus"].map((name) => `export * from "./${name}.ts";`);
  await build({
    stdin: { contents: contents.join("\n"), resolveDir: FOLDER },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  const url = pathToFileURL(outfile).href;
  return { url, ...(await import(url)) };
}

/** Tells, after each input, whether it reached a block of the script that none had reached before. */
function watchCoverage(url) {
  const session = new Session();
  session.connect();
  const post = (method, parameters) => {
    let answer;
    session.post(`Profiler.${method}`, parameters, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  post("enable");
  post("startPreciseCoverage", { callCount: true, detailed: true });
  const reached = new Set();
  return function reachedMore() {
    const before = reached.size;
    const { result } = post("takePreciseCoverage");
    for (const { functions } of result.filter((script) => script.url === url)) {
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        if (count > 0) reached.add(`${startOffset}-${endOffset}`);
      }
    }
    return reached.size > before;
  };
}

function save(target, input, error) {
  const name = `finding-${createHash("sha256").update(input).digest("hex").slice(0, 12)}`;
  writeFileSync(join(FOLDER, "corpus", target.name, name), input);
  console.error(`corpus/${target.name}/${name}: ${String(error.message).slice(0, 500)}`);
}

/** Leaves out of a failing input what it fails without. */
function shrink(target, input) {
  let least = input;
  for (let size = least.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < least.length;) {
      const shorter = Uint8Array.from([...least.subarray(0, at), ...least.subarray(at + size)]);
      if (failureOf(target, shorter)) least = shorter;
      else at += size;
    }
  }
  return least;
}

function failureOf(target, input) {
  try {
    target.check(input);
    return undefined;
  } catch (error) {
    return error;
  }
}

function fuzz({ target, corpus, reachedMore, next, seconds }) {
  const end = Date.now() + seconds * 1_000;
  const seen = new Set();
  let tried = 0;
  for (; Date.now() < end; tried++) {
    const input = next(corpus);
    const error = failureOf(target, input);
    if (reachedMore()) corpus.push(input);
    const kind = String(error?.message)
      .replaceAll(/"[^"]*"|\d+/g, "")
      .slice(0, 60);
    if (!error || seen.has(kind)) continue;
    seen.add(kind);
    const least = shrink(target, input);
    save(target, least, failureOf(target, least));
  }
  return { tried, failures: seen.size };
}

const options = { seconds: { type: "string", default: "60" }, seed: { type: "string" } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const folder = mkdtempSync(join(tmpdir(), "pack-handler-fuzz-"));
try {
  const { url, targets, mutate, randomFrom, readCorpus } = await load(folder);
  const target = targets.find(({ name }) => name === positionals[0]);
  if (!target) throw new Error(`name a target: ${targets.map(({ name }) => name).join(", ")}`);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const random = randomFrom(seed);
  const corpus = readCorpus(join(FOLDER, "corpus"), target.name).map(([, input]) => input);
  const { length: saved } = corpus;
  const { dictionary } = target;
  const next = (inputs) => mutate({ corpus: inputs, dictionary }, random);
  const reachedMore = watchCoverage(url);
  for (const input of corpus) target.check(input);
  reachedMore();
  const { tried, failures } = fuzz({ target, corpus, reachedMore, next, seconds: values.seconds });
  const kept = corpus.length - saved;
  console.log(`${target.name}, seed ${seed}: ${tried} inputs, ${kept} kept, ${failures} failures`);
  process.exitCode = failures > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
