import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { isObject, parseJson } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import { artifactVersionProblem } from "../../src/pack-index.ts";
import type { PackIndex } from "../../src/pack-index.ts";
import { thrownMessage } from "../../src/thrown.ts";
import { buildIndex } from "../indexing/build-index.ts";
import { exitProblems } from "../indexing/exit-problems.ts";
import { indexDifferences } from "../indexing/index-differences.ts";
import { indexText } from "../indexing/index-text.ts";
import type { Problem } from "../indexing/problem.ts";
import { writeWhole } from "../write-whole.ts";
import { visible } from "../paint.ts";
import { counted, painterFor, UsageError } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import { OK } from "./exit-codes.ts";

/** The pack can't be indexed, or its index is out of date. */
const NOT_INDEXED = 1;

export function indexHelp(): string {
  return `Usage: pack-handler index [folder] [options]

Writes a pack's index.json from its source: from kindgi.config.{ts,mts,mjs,js,cjs,json} and from what the modules in tools,
guardrails, agents and flows export as default. Modules are .ts, .mts, .js and .mjs files; tests, and names that begin with _
or a dot, are left out. The same source gives the same bytes on every runtime: an index that says what the source says is left
as it is. The folder is the one to work in by default.

  --out <file>
      The index. Default: index.json in the pack's folder.
  --check
      Writes nothing; exits 1, and says what differs, when the index isn't what the source gives. Its artifactVersion and
      publishedAt don't count.
  --artifact-version <version>
      Default: YYYYMMDD.N, the day in UTC and a number counted up from the index that is replaced.
  --published-at <time>
      ISO 8601. Default: now.
  --bundle-map <file>
      Indexes a build. A JSON object: module path in the index → path of its bundle below the pack's folder.
  -h, --help
      Prints this.

Exit codes:
  0  the index is written, or is what the source gives
  1  the pack can't be indexed, with every problem named, or, with --check, the index is out of date
  2  the command line can't be followed

Examples:
  pack-handler index
  pack-handler index --check
`;
}

/** Runs `pack-handler index`. Resolves with the exit code. */
export async function indexCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      out: { type: "string" },
      check: { type: "boolean" },
      "artifact-version": { type: "string" },
      "published-at": { type: "string" },
      "bundle-map": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    io.stdout.write(indexHelp());
    return OK;
  }
  const [folder = ".", ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("index takes one folder, no more");
  const root = resolve(folder);
  const out = resolve(values.out ?? resolve(root, "index.json"));
  const read = await readCommitted(out);
  if ("problem" in read) return reportProblems([{ file: nameOf(out), message: read.problem }], io);
  const { committed } = read;
  const loading = new Set<string>();
  io.onPackExit?.((exit) => {
    const problems = exitProblems(exit, { root, entry: io.entry, loading });
    return problems.length === 0 ? undefined : reportProblems(problems, io);
  });
  const built = await buildIndex({
    root,
    loading,
    bundleMap: values["bundle-map"],
    artifactVersion: readVersion(values["artifact-version"]),
    publishedAt: readTime(values["published-at"]),
    previous: committed?.json,
  });
  if ("problems" in built) return reportProblems(built.problems, io);
  const target = { path: out, committed };
  return values.check ? checkIndex(built.index, target, io) : writeIndex(built.index, target, io);
}

function readVersion(text: string | undefined): string | undefined {
  const problem = text === undefined ? undefined : artifactVersionProblem(text);
  if (problem === undefined) return text;
  throw new UsageError(problem.replace("artifactVersion", "--artifact-version"));
}

function readTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (isTime && !Number.isNaN(Date.parse(text))) return text;
  const given = JSON.stringify(text);
  throw new UsageError(
    `--published-at must be a time such as 2026-12-01T00:00:00.000Z, not ${given}`,
  );
}

/** The index that is there already. */
interface Committed {
  text: string;
  json: unknown;
}

interface Target {
  path: string;
  committed: Committed | undefined;
}

async function readCommitted(
  path: string,
): Promise<{ committed: Committed | undefined } | { problem: string }> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { committed: undefined };
    const ways = "make it a file that can be read, or name another by --out";
    return { problem: `Cannot read ${path}: ${thrownMessage(error)}; ${ways}` };
  }
  try {
    return { committed: { text, json: parseJson(text) } };
  } catch {
    return { committed: { text, json: undefined } };
  }
}

function checkIndex(index: PackIndex, { path, committed }: Target, io: CommandIo): number {
  const differences = differencesOf(index, committed);
  const isCurrent = differences.length === 0;
  const { stdout, environment } = io;
  if (!stdout.isTerminal) {
    stdout.write(`${JSON.stringify({ ok: isCurrent, index: path, differences })}\n`);
    return isCurrent ? OK : NOT_INDEXED;
  }
  const paint = painterFor(stdout, environment);
  const lines = isCurrent
    ? [`${nameOf(path)} ${paint("green", "is what the source gives")}`]
    : [
        `${nameOf(path)} ${paint("red", "is out of date")}; pack-handler index writes it anew`,
        ...differences.map((difference) => `  ${visible(difference)}`),
      ];
  stdout.write(`${lines.join("\n")}\n`);
  return isCurrent ? OK : NOT_INDEXED;
}

function differencesOf(index: PackIndex, committed: Committed | undefined): string[] {
  if (committed === undefined) return ["there is no such file"];
  const { json, text } = committed;
  if (!isObject(json)) return ["it is no JSON object"];
  const differences = indexDifferences(json, index as JsonObject);
  if (differences.length > 0 || text === indexText(json)) return differences;
  return ["its layout differs: the order of members, or spaces"];
}

async function writeIndex(
  index: PackIndex,
  { path, committed }: Target,
  io: CommandIo,
): Promise<number> {
  const text = indexText(index);
  const isWritten = text !== committed?.text;
  if (isWritten) {
    try {
      await writeWhole(path, text);
    } catch (error) {
      const message = `Cannot write ${path}: ${thrownMessage(error)}`;
      return reportProblems([{ file: nameOf(path), message }], io);
    }
  }
  const { stdout, environment } = io;
  const { artifactVersion, tools, guardrails } = index;
  if (!stdout.isTerminal) {
    stdout.write(`${JSON.stringify({ ok: true, index: path, artifactVersion, isWritten })}\n`);
    return OK;
  }
  const paint = painterFor(stdout, environment);
  const counts = `${counted(tools, "tool")}, ${counted(guardrails, "check")}`;
  const what = isWritten ? "written" : "is up to date";
  const about = `${counts}, artifact ${visible(artifactVersion)}`;
  stdout.write(`${nameOf(path)} ${paint("green", what)}  ${paint("dim", about)}\n`);
  return OK;
}

function reportProblems(problems: readonly Problem[], { stdout, environment }: CommandIo): number {
  if (stdout.isTerminal) {
    const paint = painterFor(stdout, environment);
    const lines = problems.map(
      ({ file, message }) => `${paint("bold", visible(file))}  ${visible(message)}`,
    );
    stdout.write(`${lines.join("\n")}\n${paint("red", counted(problems, "problem"))}\n`);
  } else {
    stdout.write(`${JSON.stringify({ ok: false, problems })}\n`);
  }
  return NOT_INDEXED;
}

function nameOf(path: string): string {
  return visible(relative(process.cwd(), path) || path);
}
