import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { thrownMessage } from "../../src/thrown.ts";
import { compilePack } from "../compile/compile-pack.ts";
import type { CompiledPack } from "../compile/compile-pack.ts";
import { writeWhole } from "../write-whole.ts";
import { visible } from "../paint.ts";
import { counted, painterFor, UsageError } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import { OK } from "./exit-codes.ts";

/** The pack can't be compiled, or its worker not written. */
const NOT_COMPILED = 1;

export function compileHelp(): string {
  return `Usage: pack-handler compile --index <file> --out <file> [options]

Compiles a pack into a worker: one ES module that holds the pack's index, modules and validators, and generates no code
when it runs. Its default export is { fetch }, as Cloudflare Workers, Deno Deploy and Bun serve it. pack and createHandler
are for a server of your own.

  --index <file>
      The pack's index.
  --out <file>
      The module to write, such as worker.mjs.
  --module-root <folder>
      Where the index's module paths start. Default: the index's folder.
  --bundle-map <file>
      A JSON object: module path in the index → path of its bundle below the module root. Default: none.
  --external <package>
      A package that the module imports instead of holding it. May come several times.
  --minify
      Makes the module small.
  -h, --help
      Prints this.

It takes esbuild: npm install --save-dev esbuild.

Exit codes:
  0  written
  1  the pack can't be compiled, or the module not written: every problem is listed
  2  the command line can't be followed

Example:
  pack-handler compile --index index.json --out worker.mjs --minify
`;
}

/** Runs `pack-handler compile`. Resolves with the exit code. */
export async function compileCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      index: { type: "string" },
      out: { type: "string" },
      "module-root": { type: "string" },
      "bundle-map": { type: "string" },
      external: { type: "string", multiple: true, default: [] },
      minify: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    io.stdout.write(compileHelp());
    return OK;
  }
  const { index, out, external, minify } = values;
  if (!index || !out) throw new UsageError("compile needs --index and --out");
  const places = { index, moduleRoot: values["module-root"], bundleMap: values["bundle-map"] };
  const compiled = await compilePack({ ...places, external, minify });
  if ("problems" in compiled) return reportProblems(compiled.problems, io);
  const file = resolve(out);
  try {
    await writeWhole(file, compiled.text);
  } catch (error) {
    return reportProblems([`Cannot write ${file}: ${thrownMessage(error)}`], io);
  }
  reportWorker(file, compiled, io);
  return OK;
}

function reportProblems(problems: readonly string[], { stdout, environment }: CommandIo): number {
  const paint = painterFor(stdout, environment);
  const lines = problems.map((problem) => `${paint("red", "problem")}  ${visible(problem)}\n`);
  stdout.write(stdout.isTerminal ? lines.join("") : `${JSON.stringify({ ok: false, problems })}\n`);
  return NOT_COMPILED;
}

function reportWorker(
  file: string,
  { index, text, warnings }: CompiledPack,
  { stdout, environment }: CommandIo,
): void {
  const sizeBytes = Buffer.byteLength(text);
  const gzipBytes = gzipSync(text).length;
  if (!stdout.isTerminal) {
    stdout.write(`${JSON.stringify({ ok: true, file, sizeBytes, gzipBytes, warnings })}\n`);
    return;
  }
  const paint = painterFor(stdout, environment);
  for (const warning of warnings) {
    stdout.write(`${paint("yellow", "warning")}  ${visible(warning)}\n`);
  }
  const { packId, tools, guardrails } = index;
  const what = `${packId}: ${counted(tools, "tool")}, ${counted(guardrails, "check")}`;
  const size = `${sizeBytes} bytes, ${gzipBytes} gzipped`;
  stdout.write(`${visible(file)}  ${paint("dim", visible(`${what}; ${size}`))}\n`);
}
