import { LOG_LEVELS } from "../src/records.ts";
import type { LogLevel } from "../src/records.ts";
import { isToken } from "../src/token.ts";

export const TOKEN_NAME = "KINDGI_PACK_SERVICE_TOKEN";

interface Setting<T> {
  /** Where it comes from; a flag wins over the environment. */
  flag?: `--${string}`;
  env?: string;
  /** What stands for the value in the help. */
  value: string;
  help: string;
  /** Shown in the help. */
  defaultText: string;
  default: T | typeof REQUIRED;
  /** The text as a value; `undefined` when it is none. */
  parse: (text: string) => T | undefined;
  /** What the text must be, for a problem. */
  expected: string;
  /** Whether no message may quote the text. */
  isSecret?: boolean;
}

/** In place of a default: the setting has to be given. */
const REQUIRED = Symbol("required");

/** Every setting of contract §7, in the order in which the help and the README list them. */
export const SETTINGS = {
  index: anyText({
    flag: "--index",
    env: "KINDGI_PACK_INDEX",
    value: "<file>",
    help: "The pack's index.",
    defaultText: "/app/index.json",
    default: "/app/index.json",
  }),
  moduleRoot: anyText({
    flag: "--module-root",
    value: "<folder>",
    help: "Where the index's module paths start.",
    defaultText: "the index's folder",
    default: undefined,
  }),
  bundleMap: anyText({
    flag: "--bundle-map",
    value: "<file>",
    help: "A JSON object: module path in the index → path of its bundle below the module root.",
    defaultText: "none",
    default: undefined,
  }),
  host: anyText({
    flag: "--host",
    value: "<address>",
    help: "The address to listen on.",
    defaultText: "every interface",
    default: undefined,
  }),
  port: {
    env: "PORT",
    value: "<port>",
    help: "The port to listen on; 0 picks a free one.",
    defaultText: "8080",
    default: 8080,
    parse: (given) => wholeNumber(given, 0, 65_535),
    expected: "a decimal number from 0 to 65535",
  } as Setting<number>,
  token: {
    env: TOKEN_NAME,
    value: "<token>",
    help: "What callers must send as kindgi-pack-token.",
    defaultText: "none: it has to be given",
    default: REQUIRED,
    parse: (given) => (isToken(given) ? given : undefined),
    expected: "made of visible ASCII characters (! to ~) only, without spaces",
    isSecret: true,
  } as Setting<string>,
  maxConcurrency: {
    env: "KINDGI_PACK_SERVICE_MAX_CONCURRENCY",
    value: "<count>",
    help: "Calls that may run at the same time.",
    defaultText: "32",
    default: 32,
    parse: (given) => wholeNumber(given, 1, Number.MAX_SAFE_INTEGER),
    expected: "a whole number from 1",
  } as Setting<number>,
  envCheck: oneOf(["strict", "warn"], {
    env: "KINDGI_PACK_ENV_CHECK",
    help: "Whether a required name that is missing keeps the service from being ready.",
  }),
  envFilter: oneOf(["on", "off"], {
    env: "KINDGI_PACK_ENV_FILTER",
    help: "Whether names that the index doesn't declare are removed before pack code runs.",
  }),
  logLevel: oneOf(LOG_LEVELS, {
    env: "KINDGI_LOG_LEVEL",
    help: "The least severe level that is logged.",
    default: "info",
  }),
  logLevels: {
    env: "KINDGI_LOG_LEVELS",
    value: "<list>",
    help: "Levels by subsystem, such as pack=warn,pack.tool=debug.",
    defaultText: "none",
    default: {},
    parse: levelsBySubsystem,
    expected: `a list of subsystem=level with levels ${LOG_LEVELS.join(", ")}`,
  } as Setting<Readonly<Record<string, LogLevel>>>,
  logFormat: oneOf(["auto", "json", "pretty"], {
    env: "KINDGI_LOG_FORMAT",
    help: "auto is pretty on a terminal, json otherwise.",
  }),
};

type Settings = typeof SETTINGS;

/** A value for every setting. */
export type Config = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never;
};

/** What a command line and an environment ask for. Settings that are wrong have their default in `config`. */
export type ParsedConfig =
  | { ask: "help" | "version" }
  | { ask: "serve"; config: Config; problems: readonly string[] };

/**
 * Reads the whole configuration and lists every problem at once. An empty environment value counts as unset, the last
 * of a repeated flag wins, and a leading `serve` is skipped. The token's value is in no problem.
 */
export function parseConfig(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ParsedConfig {
  if (argv.includes("--help")) return { ask: "help" };
  if (argv.includes("--version")) return { ask: "version" };
  const { flags, problems } = parseFlags(argv[0] === "serve" ? argv.slice(1) : argv);
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const read = readSetting(setting, flags, environment);
    if ("problem" in read) problems.push(read.problem);
    return [name, read.value] as const;
  });
  return { ask: "serve", config: Object.fromEntries(entries) as Config, problems };
}

interface ParsedFlags {
  flags: Map<string, string>;
  problems: string[];
}

function parseFlags(argv: readonly string[]): ParsedFlags {
  const known = Object.values<Setting<unknown>>(SETTINGS).flatMap(({ flag }) => flag ?? []);
  const parsed: ParsedFlags = { flags: new Map(), problems: [] };
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] as string;
    const [flag, inline] = splitFlag(argument);
    if (!known.includes(flag as `--${string}`)) {
      const kind = argument.startsWith("-") ? "option" : "argument";
      parsed.problems.push(
        `Unknown ${kind} ${JSON.stringify(flag)}; known are ${known.join(", ")}, --help, --version`,
      );
      continue;
    }
    const value = inline ?? followingValue(argv, i);
    if (value !== undefined && inline === undefined) i += 1;
    if (value) parsed.flags.set(flag, value);
    else parsed.problems.push(`${flag} needs a value`);
  }
  return parsed;
}

function splitFlag(argument: string): [flag: string, value: string | undefined] {
  const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
  if (equals === -1) return [argument, undefined];
  return [argument.slice(0, equals), argument.slice(equals + 1)];
}

function followingValue(argv: readonly string[], at: number): string | undefined {
  const next = argv[at + 1];
  return next?.startsWith("--") ? undefined : next;
}

function readSetting<T>(
  setting: Setting<T>,
  flags: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
): { value: T | undefined } | { value: T | undefined; problem: string } {
  const { flag, env, isSecret } = setting;
  const fallback = setting.default === REQUIRED ? undefined : (setting.default as T);
  const given = flag === undefined ? undefined : flags.get(flag);
  const text = given ?? (env === undefined ? "" : (environment[env] ?? "").trim());
  const source = given === undefined ? env : flag;
  if (text === "") {
    if (setting.default !== REQUIRED) return { value: fallback };
    return { value: fallback, problem: `${env} is missing; it must be ${setting.expected}` };
  }
  const value = setting.parse(text);
  if (value !== undefined) return { value };
  const quoted = isSecret ? "" : `, not ${JSON.stringify(text)}`;
  return { value: fallback, problem: `${source} must be ${setting.expected}${quoted}` };
}

type TextSetting<T> = Omit<Setting<T>, "parse" | "expected">;

function anyText<T extends string | undefined>(setting: TextSetting<T>): Setting<string | T> {
  return { ...setting, parse: (given) => given, expected: "a text" };
}

interface ChoiceSetting<T> {
  env: string;
  help: string;
  /** @default the first */
  default?: T;
}

function oneOf<const T extends string>(
  values: readonly T[],
  setting: ChoiceSetting<T>,
): Setting<T> {
  const preset = setting.default ?? (values[0] as T);
  return {
    env: setting.env,
    value: values.join("|"),
    help: setting.help,
    defaultText: preset,
    default: preset,
    parse: (given) => values.find((value) => value === given),
    expected: `one of ${values.join(", ")}`,
  };
}

function wholeNumber(text: string, from: number, to: number): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const number = Number(text);
  return number >= from && number <= to ? number : undefined;
}

function levelsBySubsystem(text: string): Record<string, LogLevel> | undefined {
  const levels: [string, LogLevel][] = [];
  for (const pair of text.split(",")) {
    const [subsystem = "", given = "", ...rest] = pair.split("=").map((part) => part.trim());
    const level = LOG_LEVELS.find((name) => name === given);
    if (!level || subsystem === "" || rest.length > 0) return undefined;
    levels.push([subsystem, level]);
  }
  return Object.fromEntries(levels);
}

/** What `--help` prints. */
export function helpText(): string {
  const settings = Object.values<Setting<unknown>>(SETTINGS).map((setting) => {
    const sources = [setting.flag && `${setting.flag} ${setting.value}`, setting.env].filter(
      Boolean,
    );
    const value = setting.flag ? "" : ` = ${setting.value}`;
    return `  ${sources.join(" or ")}${value}\n      ${setting.help} Default: ${setting.defaultText}.`;
  });
  return `Usage: pack-handler [serve] [options]

Serves a pack's tools and checks over the pack protocol, version 2: POST /v1/invoke, GET /v1/info, /healthz and
/readyz. Records go to stderr, one JSON object a line.

Settings, from flags (--flag value or --flag=value) and the environment:

${settings.join("\n")}
  --help
      Prints this.
  --version
      Prints the version.

The environment that pack code sees holds neither the token nor, with the filter on, any name that the pack's index
doesn't declare.

SIGTERM and SIGINT drain: new calls are refused, those in flight have 8 s to finish. A second Ctrl-C stops at once.

Exit codes:
  0    stopped by a signal, or printed what was asked for
  1    the configuration or the pack can't be used, the port is taken, or pack code threw outside a call
  130  stopped at once by a second SIGINT

Example:
  ${TOKEN_NAME}=change-me PORT=8080 pack-handler serve --index ./index.json
`;
}
