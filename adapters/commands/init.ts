import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { parseJson } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import { thrownMessage } from "../../src/thrown.ts";
import { indexText } from "../indexing/index-text.ts";
import { nextStamp } from "../indexing/stamp.ts";
import { visible } from "../paint.ts";
import { painterFor, UsageError } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import { OK } from "./exit-codes.ts";
import { detectRuntime, INIT_RUNTIMES, runsTypeScript, scriptsOf } from "./init-runtime.ts";
import type { InitRuntime } from "./init-runtime.ts";

const NOT_WRITTEN = 1;
const DEFAULT_FOLDER = "my-pack";

export function initHelp(): string {
  return `Usage: pack-handler init [folder] [options]

Starts a pack: a tool, a check, their test, an index, and scripts for the runtime in use. Asks for the folder when none is
given, on a terminal. Overwrites nothing: a file that is there already is named, and nothing is written then.

  --id <id>
      The pack's id. Default: made of the folder's name.
  --runtime ${INIT_RUNTIMES.join("|")}
      Whose scripts. Default: the one in use. Modules are TypeScript where it runs that.
  -y, --yes
      Asks nothing: without a folder it is ${DEFAULT_FOLDER}.
  -h, --help
      Prints this.

Exit codes:
  0  the pack is there
  1  it isn't: a file stands in its way, or can't be written
  2  the command line can't be followed

Examples:
  npx pack-handler init my-pack
  bunx pack-handler init my-pack
  deno run -A npm:pack-handler init my-pack
`;
}

/** Runs `pack-handler init`. Resolves with the exit code. */
export async function initCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      id: { type: "string" },
      runtime: { type: "string" },
      yes: { type: "boolean", short: "y" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    io.stdout.write(initHelp());
    return OK;
  }
  if (positionals.length > 1) throw new UsageError("init takes one folder, no more");
  const runtime = readRuntime(values.runtime, io);
  const folder = positionals[0] ?? (await askFolder(io, values.yes === true));
  const root = resolve(folder);
  const id = values.id ?? idFrom(basename(root));
  if (id === "" || /[\s\p{C}]/u.test(id)) {
    throw new UsageError("--id must be a text without spaces and control characters");
  }
  const files = await packFiles({ id, runtime });
  return writeFiles(root, files, runtime, io);
}

function readRuntime(given: string | undefined, io: CommandIo): InitRuntime {
  if (given === undefined) return detectRuntime(io.environment);
  const runtime = INIT_RUNTIMES.find((name) => name === given);
  if (runtime !== undefined) return runtime;
  throw new UsageError(
    `--runtime must be one of ${INIT_RUNTIMES.join(", ")}, not ${JSON.stringify(given)}`,
  );
}

async function askFolder(io: CommandIo, takesDefault: boolean): Promise<string> {
  if (takesDefault || !io.ask) return DEFAULT_FOLDER;
  const answer = await io.ask(`Folder of the new pack (${DEFAULT_FOLDER}): `);
  return answer.trim() || DEFAULT_FOLDER;
}

function idFrom(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-._]+|[-._]+$/g, "");
  return id || DEFAULT_FOLDER;
}

/** Files that have a meaning of their own, which they must not have where the template is kept. */
const RENAMED = new Map([
  ["_package.json", "package.json"],
  ["gitignore", ".gitignore"],
]);

interface NewPack {
  id: string;
  runtime: InitRuntime;
}

/** The files of a new pack, by path: those of the template, under this pack's name. */
async function packFiles(pack: NewPack): Promise<Map<string, string>> {
  const template = await templateFolder();
  const paths = (await readdir(template, { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .map((item) => relative(template, join(item.parentPath, item.name)).replaceAll("\\", "/"));
  const extension = runsTypeScript(pack.runtime) ? "ts" : "js";
  const files = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const text = await readFile(join(template, path), "utf8");
    if (path.endsWith(".js")) files.set(inLanguage(path, extension), inLanguage(text, extension));
    else files.set(RENAMED.get(path) ?? path, fill(path, text, pack, extension));
  }
  return files;
}

/** Sources are JavaScript and TypeScript alike; only the names of modules tell which they are. */
function inLanguage(text: string, extension: string): string {
  return text.replace(/\.js(?="|$)/gm, `.${extension}`);
}

function fill(path: string, text: string, { id, runtime }: NewPack, extension: string): string {
  if (!path.endsWith(".json")) return text;
  const json = parseJson(text) as JsonObject;
  switch (path) {
    case "_package.json":
      return jsonText({
        ...json,
        name: idFrom(id),
        scripts: scriptsOf(runtime),
        dependencies: { "pack-handler": `^${packageJson.version}` },
      });
    case "kindgi.config.json":
      return jsonText({ ...json, pack: { ...(json.pack as object), id } });
    default:
      return indexText({
        ...(parseJson(inLanguage(text, extension)) as object),
        packId: id,
        ...nextStamp({}, new Date()),
      });
  }
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The template is beside the package's code, however deep that is built or kept. */
async function templateFolder(): Promise<string> {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (dirname(folder) !== folder) {
    const template = join(folder, "templates/pack");
    if (await exists(template)) return template;
    folder = dirname(folder);
  }
  throw new Error("This installation of pack-handler lacks its templates: install it anew");
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function writeFiles(
  root: string,
  files: ReadonlyMap<string, string>,
  runtime: InitRuntime,
  { stdout, stderr, environment }: CommandIo,
): Promise<number> {
  const paths = [...files.keys()].toSorted();
  const isThere = await Promise.all(paths.map((path) => exists(join(root, path))));
  const taken = paths.filter((_path, i) => isThere[i]);
  if (taken.length > 0) {
    stderr.write(`${visible(root)} holds already, and nothing was written:\n`);
    stderr.write(taken.map((path) => `  ${path}\n`).join(""));
    return NOT_WRITTEN;
  }
  for (const [path, text] of files) {
    const target = join(root, path);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text, { flag: "wx" });
    } catch (error) {
      stderr.write(`Cannot write ${visible(target)}: ${visible(thrownMessage(error))}\n`);
      return NOT_WRITTEN;
    }
  }
  const paint = painterFor(stdout, environment);
  const name = relative(process.cwd(), root) || ".";
  const steps = [
    ...(name === "." ? [] : [`cd ${/\s/.test(name) ? JSON.stringify(name) : name}`]),
    ...NEXT_STEPS[runtime],
  ];
  const lines = [
    `A pack is in ${paint("bold", visible(name))}:`,
    ...paths.map((path) => `  ${path}`),
    "Next:",
    ...steps.map((step) => `  ${paint("cyan", visible(step))}`),
  ];
  stdout.write(`${lines.join("\n")}\n`);
  return OK;
}

const NEXT_STEPS: Readonly<Record<InitRuntime, readonly string[]>> = {
  node: ["npm install", "npm test", "npm run dev"],
  bun: ["bun install", "bun run test", "bun run dev"],
  deno: ["deno install", "deno task test", "deno task dev"],
};
