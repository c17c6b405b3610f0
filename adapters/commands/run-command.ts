import packageJson from "../../package.json" with { type: "json" };
import { UsageError } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import { OK, USAGE } from "./exit-codes.ts";
import { visible } from "../paint.ts";

type Command = (argv: readonly string[], io: CommandIo) => Promise<number>;

/** Each imported when it is run, so that serving loads no client and calling no server. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["call", async () => (await import("./call.ts")).callCommand],
  ["info", async () => (await import("./info.ts")).infoCommand],
  ["init", async () => (await import("./init.ts")).initCommand],
  ["index", async () => (await import("./index-command.ts")).indexCommand],
  ["dev", async () => (await import("./dev.ts")).devCommand],
  ["openapi", async () => (await import("./openapi.ts")).openApiCommand],
  ["compile", async () => (await import("./compile.ts")).compileCommand],
]);

const HELP = `Usage: pack-handler [serve] [options]
       pack-handler call <url> <tool> [input] [options]
       pack-handler info <url> [options]
       pack-handler init [folder] [options]
       pack-handler index [folder] [options]
       pack-handler dev [folder] [options]
       pack-handler openapi [options]
       pack-handler compile --index <file> --out <file> [options]

  serve    Serves a pack's tools and checks over the pack protocol. What flags without a command do, too.
  call     Calls a tool of a pack service.
  info     Prints what a pack service holds.
  init     Starts a pack in a new folder.
  index    Writes a pack's index.json from its source, or checks it.
  dev      Serves a pack while it is written: again after every change, at one address.
  openapi  Prints a pack as an OpenAPI 3.1 document.
  compile  Makes a worker of a pack, for where no process runs and no code may be generated.

pack-handler <command> --help tells the rest. --version prints the version.
`;

/** Whether a command line is for the service itself: it names `serve`, or has flags or nothing. */
export function isServe([first]: readonly string[]): boolean {
  if (first === "--help" || first === "-h" || first === "--version") return false;
  return first === undefined || first === "serve" || first.startsWith("-");
}

/** Runs a command other than `serve`. Resolves with the exit code; rejects on a fault of our own alone. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const [name = "", ...rest] = argv;
  if (name === "--version") {
    io.stdout.write(`${packageJson.version}\n`);
    return OK;
  }
  if (name === "--help" || name === "-h") {
    io.stdout.write(HELP);
    return OK;
  }
  try {
    const load = COMMANDS.get(name);
    if (load) return await (await load())(rest, io);
    const known = ["serve", ...COMMANDS.keys()].join(", ");
    throw new UsageError(`Unknown command ${JSON.stringify(name)}; known are ${known}`);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    const help = COMMANDS.has(name) ? `pack-handler ${name} --help` : "pack-handler --help";
    // What parseArgs says after its first sentence is about another case, and long.
    const [message = ""] = error.message.split(". To specify a positional argument");
    io.stderr.write(`${visible(message)}\n${help} tells how.\n`);
    return USAGE;
  }
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS_");
}
