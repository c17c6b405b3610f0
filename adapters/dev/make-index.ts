import { mkdtemp, rm } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isObject, parseJson } from "../../src/json.ts";
import { TOKEN_NAME } from "../config.ts";
import { spawnGuarded } from "./guarded-spawn.ts";
import type { PackPlace, SupervisorOptions } from "./supervisor.ts";

/** Where a pack's index comes from. */
export interface IndexSource {
  make: SupervisorOptions["makeIndex"];
  /** Leaves nothing behind. */
  close(): Promise<void>;
}

/** An index that somebody else writes: it is served as it is. */
export function writtenIndex(place: PackPlace): IndexSource {
  return { make: () => Promise.resolve(place), close: () => Promise.resolve() };
}

export interface MadeIndexOptions {
  /** The pack's folder. */
  root: string;
  /** The command that runs this package's command line. */
  words: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * An index that is made anew from the pack's source each time, outside the pack: the committed one is left alone. A process
 * of its own imports the modules, since a process imports each only once.
 */
export async function madeIndex(options: MadeIndexOptions): Promise<IndexSource> {
  const folder = await mkdtemp(join(tmpdir(), "pack-handler-dev-"));
  const place = { index: join(folder, "index.json"), moduleRoot: options.root };
  return {
    make: (signal) => runIndexCommand(options, place, signal),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function runIndexCommand(
  { root, words, environment }: MadeIndexOptions,
  place: PackPlace,
  signal: AbortSignal,
): Promise<PackPlace | { problems: readonly string[] }> {
  const env = { ...environment, [TOKEN_NAME]: undefined };
  const guarded = spawnGuarded([...words, "index", root, "--out", place.index], { env });
  const kill = () => guarded.signalGroup("SIGKILL");
  signal.addEventListener("abort", kill);
  const outputs = Promise.all([text(guarded.stdout), text(guarded.stderr)]);
  const failure = await once(guarded.process, "exit").then(
    () => undefined,
    (error: Error) => error.message,
  );
  signal.removeEventListener("abort", kill);
  // What a module has started when it was imported would go on.
  kill();
  guarded.release();
  if (failure !== undefined) return { problems: [`Cannot make the index: ${failure}`] };
  const [stdout, stderr] = await outputs;
  return readAnswer(stdout, place) ?? { problems: [`Cannot make the index: ${stderr.trim()}`] };
}

/** The last line of what the command prints; a module may print before it. */
function readAnswer(
  stdout: string,
  place: PackPlace,
): PackPlace | { problems: readonly string[] } | undefined {
  try {
    const answer: unknown = parseJson(stdout.trimEnd().split("\n").at(-1) ?? "");
    if (!isObject(answer)) return undefined;
    if (answer.ok === true) return place;
    const problems = answer.problems as { file: string; message: string }[];
    return { problems: problems.map(({ file, message }) => `${file}: ${message}`) };
  } catch {
    return undefined;
  }
}
