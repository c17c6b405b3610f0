import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { thrownMessage } from "../../src/thrown.ts";
import { isToken } from "../../src/token.ts";
import { hostFiles } from "../base-host.ts";
import { TOKEN_NAME } from "../config.ts";
import { commandWords } from "../dev/command-words.ts";
import { runDev } from "../dev/dev.ts";
import { madeIndex, writtenIndex } from "../dev/make-index.ts";
import type { IndexSource } from "../dev/make-index.ts";
import { ownCommand } from "../dev/service-command.ts";
import { CONFIG_FILES } from "../indexing/config-names.ts";
import { visible } from "../paint.ts";
import { UsageError, painterFor } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import { OK } from "./exit-codes.ts";

/** The address can't be bound. */
const NOT_SERVED = 1;

export function devHelp(): string {
  return `Usage: pack-handler dev [folder] [options]

Serves the pack in a folder, the one to work in by default, and serves it anew whenever a file changes. The address and the
token stay, and no call is lost: a new service starts beside the old one, takes over when it listens, and the old one ends
when its last call has. A change that can't be served is told, and what was served before goes on. A service that ends by
itself is started again, after a delay that grows; until it listens, calls are answered 503.

Where the folder holds a kindgi.config.*, the pack's index is made from its source each time, as "pack-handler index" does,
and the index.json beside it is left alone. Else the index.json there is served as it is.

  --index <file>
      Serves this index as it is.
  --module-root <folder>
      Where the index's module paths start, and what is watched. Default: the index's folder.
  --ignore <name>
      A file or folder that is not watched, by its name or its path below the watched folder; may be given several times.
      Needed for what the pack itself writes there. Never watched: node_modules, names that begin with a dot or end with ~
      or .log, __pycache__, bower_components, build, coverage, dist, out and target.
  --port <port>
      Default: PORT, else 8080; 0 picks a free one.
  --host <address>
      Default: 127.0.0.1, which only this machine reaches.
  --command <command>
      Another service of the pack protocol to run, such as "python -m my_service". It is started without a shell and is told what
      every such service is: --index, --module-root and --host as flags, PORT, ${TOKEN_NAME} and KINDGI_PACK_INDEX in
      its environment. It takes over when it writes its listening record, or when /readyz answers 200.
      Default: this package's own, on the runtime in use.
  -h, --help
      Prints this.

The token is ${TOKEN_NAME} from the environment, else one is made and printed. Records go to stderr, for a person on a
terminal, one JSON object a line elsewhere; KINDGI_LOG_FORMAT=json or pretty says otherwise. The service gets the
environment, so that KINDGI_LOG_LEVEL and the rest of "pack-handler serve --help" work as they do there.

Ctrl-C lets the calls under way finish, for up to 8 s; a second one doesn't. No service outlives this command.

Exit codes:
  0    stopped by a signal
  1    the address can't be listened on
  2    the command line can't be followed
  130  stopped at once by a second Ctrl-C

Examples:
  pack-handler dev
  pack-handler dev examples/ledger --ignore ledger-data
  pack-handler dev --index ./index.json --command "python -m my_service"
`;
}

/** Runs `pack-handler dev`. Resolves with the exit code, once a signal has stopped it. */
export async function devCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      index: { type: "string" },
      "module-root": { type: "string" },
      ignore: { type: "string", multiple: true },
      port: { type: "string" },
      host: { type: "string" },
      command: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    io.stdout.write(devHelp());
    return OK;
  }
  const [folder, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("dev takes one folder, no more");
  const port =
    values.port === undefined
      ? readPort("PORT", io.environment.PORT ?? "")
      : readPort("--port", values.port);
  const words = values.command === undefined ? undefined : readCommand(values.command);
  const { token, isMade } = readToken(io);
  const places = { folder, index: values.index, moduleRoot: values["module-root"] };
  const { root, files, source } = await findSource(places, io);
  try {
    return await runDev(
      {
        root,
        files,
        ignored: values.ignore ?? [],
        makeIndex: source.make,
        host: values.host ?? "127.0.0.1",
        port,
        token,
        words: words ?? ownCommand(io.entry, "service"),
        isForeign: words !== undefined,
        onListening: (url) => greet(url, isMade ? token : undefined, io),
      },
      io,
    );
  } catch (error) {
    if (!isSystemError(error)) throw error;
    io.stderr.write(
      `Cannot listen: ${visible(thrownMessage(error))}; --port and --host name another address\n`,
    );
    return NOT_SERVED;
  } finally {
    await source.close();
  }
}

function readPort(source: string, text: string): number {
  const port = text === "" ? 8080 : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${source} must be from 0 to 65535, not ${JSON.stringify(text)}`);
}

function readCommand(text: string): string[] {
  const words = commandWords(text);
  if (words) return words;
  throw new UsageError(`--command must be a command whose quotes end, not ${JSON.stringify(text)}`);
}

function readToken({ environment }: CommandIo): { token: string; isMade: boolean } {
  const given = environment[TOKEN_NAME]?.trim() ?? "";
  if (given === "") return { token: randomBytes(24).toString("base64url"), isMade: true };
  if (isToken(given)) return { token: given, isMade: false };
  throw new UsageError(`${TOKEN_NAME} must be made of visible ASCII characters (! to ~) only`);
}

interface Places {
  folder: string | undefined;
  index: string | undefined;
  moduleRoot: string | undefined;
}

interface Source {
  root: string;
  files: readonly string[];
  source: IndexSource;
}

async function findSource({ folder, index, moduleRoot }: Places, io: CommandIo): Promise<Source> {
  if (folder !== undefined && index !== undefined) {
    throw new UsageError("dev takes a folder or --index, not both");
  }
  const root = resolve(folder ?? ".");
  if (index === undefined && (await hasConfig(root))) {
    if (moduleRoot !== undefined) throw new UsageError("--module-root goes with --index");
    const words = ownCommand(io.entry, "cli");
    const source = await madeIndex({ root, words, environment: io.environment });
    return { root, files: [], source };
  }
  const file = resolve(index ?? join(root, "index.json"));
  if (!hostFiles.isFile(file)) throw new UsageError(missingIndex(file, index !== undefined));
  const place = { index: file, moduleRoot: resolve(moduleRoot ?? dirname(file)) };
  return { root: place.moduleRoot, files: [file], source: writtenIndex(place) };
}

function missingIndex(file: string, isGiven: boolean): string {
  if (isGiven) return `There is no index ${file}`;
  return `${dirname(file)} holds neither a kindgi.config.* nor an index.json; name the pack's folder, or its index by --index`;
}

async function hasConfig(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some((name) => CONFIG_FILES.includes(name));
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "listen";
}

function greet(url: string, madeToken: string | undefined, { stdout, environment }: CommandIo) {
  const paint = painterFor(stdout, environment);
  const token =
    madeToken === undefined
      ? paint("dim", `Its token is what ${TOKEN_NAME} holds.`)
      : `export ${TOKEN_NAME}=${madeToken}  ${paint("dim", "for other terminals")}`;
  stdout.write(
    `\n  ${paint("bold", url)}  ${paint("dim", "call the pack's tools in a browser")}\n`,
  );
  stdout.write(`  ${token}\n\n`);
}
