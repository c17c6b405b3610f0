import { declaredNames } from "../src/info.ts";
import { encodeJson } from "../src/json.ts";
import { createPrecompiledHandler } from "../src/precompiled.ts";
import type { PackHandler, PrecompiledPack } from "../src/precompiled.ts";
import { Recorder } from "../src/records.ts";
import type { LogLevel, LogRecord } from "../src/records.ts";
import { parseConfig, SETTINGS } from "./config.ts";
import type { Config } from "./config.ts";

/** What a platform's edge runtime serves: the default export of a worker. */
export interface Worker {
  fetch(request: Request, bindings?: unknown): Promise<Response>;
}

/** The settings of a process that mean something without one. */
const EDGE_SETTINGS = ["token", "maxConcurrency", "envCheck", "logLevel", "logLevels"] as const;

// Captured when this module loads: pack code may replace them later.
const { error, warn, info, debug } = globalThis.console;
const WRITERS: Readonly<Record<LogLevel, (text: string) => void>> = {
  error,
  warn,
  info,
  debug,
  trace: debug,
};

/**
 * Makes a worker of a compiled pack. It takes its settings and the environment names that the index declares from the
 * platform's bindings (the second argument of `fetch`), else from the process's environment, at the first request, and
 * writes its records to the console. With settings that can't be used it is never ready, and a record says why.
 */
export function createWorker(pack: PrecompiledPack): Worker {
  let handler: PackHandler | undefined;
  return {
    fetch(request, bindings) {
      handler ??= createConfigured(pack, bindings);
      return handler(request);
    },
  };
}

function createConfigured(pack: PrecompiledPack, bindings: unknown): PackHandler {
  const env = readEnvironment(pack, bindings);
  const parsed = parseConfig([], env);
  if (parsed.ask !== "serve") throw new TypeError("no arguments ask for help");
  const { config, problems } = parsed;
  if (problems.length > 0) recordProblems(config, problems);
  const { token, envCheck, maxConcurrency, logLevel, logLevels } = config;
  return createPrecompiledHandler(problems.length > 0 ? neverLoaded(pack) : pack, {
    token,
    env,
    envCheck,
    maxConcurrency,
    logLevel,
    logLevels,
    onRecord: writeRecord,
  });
}

function readEnvironment({ index }: PrecompiledPack, bindings: unknown): Record<string, string> {
  const names = [...EDGE_SETTINGS.map((name) => SETTINGS[name].env ?? ""), ...declaredNames(index)];
  const sources = [bindings, globalThis.process?.env];
  const found = names.flatMap((name) => {
    const value = sources.map((source) => textIn(source, name)).find((text) => text !== undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Only the asked name is read: Deno asks for a permission for each. */
function textIn(source: unknown, name: string): string | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  const value = Object.hasOwn(source, name) ? (source as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

function recordProblems({ logLevel, logLevels }: Config, problems: readonly string[]): void {
  const options = { onRecord: writeRecord, level: logLevel, levels: logLevels, secrets: [] };
  const message = "The configuration can't be used";
  new Recorder(options).fault("error", "config-invalid", message, { problems });
}

function neverLoaded(pack: PrecompiledPack): PrecompiledPack {
  const load = () => new Promise(() => {});
  const modules = Object.fromEntries(Object.keys(pack.modules).map((path) => [path, load]));
  return { ...pack, modules };
}

function writeRecord(record: LogRecord): void {
  WRITERS[record.level](encodeJson(record));
}
