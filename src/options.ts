import { now } from "./captured.ts";
import { decodeBody, readBodyStream } from "./body.ts";
import type { DecodeBody, ReadBody } from "./body.ts";
import { watchSignal } from "./disconnect.ts";
import type { OnDisconnect } from "./disconnect.ts";
import {
  DEFAULT_MAX_CONCURRENCY,
  DEFAULT_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_TIMEOUT_MS,
} from "./protocol.ts";
import type { IsExotic } from "./plain-data.ts";
import { LOG_LEVELS } from "./records.ts";
import type { LogLevel, LogRecord } from "./records.ts";
import { isToken } from "./token.ts";

/** A class whose instances are answers, such as the global `Response`. */
export type ResponseConstructor = new (
  body: string | null,
  init: { status: number; headers: Readonly<Record<string, string>> },
) => Response;

export interface PackHandlerOptions {
  /**
   * What callers must send as `kindgi-pack-token`: printable ASCII without spaces (contract §7).
   * @default none: every `/v1/*` request is answered 401
   */
  token?: string | undefined;
  /**
   * The environment in which the index's required names are looked for. An unset or empty one is missing.
   * @default {}: every required name is missing
   */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * `strict`: not ready while a required name is missing. `warn`: a record and `/v1/info` name it, no more.
   * @default "strict"
   */
  envCheck?: "strict" | "warn" | undefined;
  /** Calls that may run at the same time; one more is refused with 503 (contract §6). @default 32 */
  maxConcurrency?: number | undefined;
  /** Largest request body accepted, in bytes; a larger one is refused with 413 (contract §1). @default 10485760 */
  maxBodyBytes?: number | undefined;
  /** Deadline of a call that brings none, in milliseconds, at most 2147483647 (contract §1). @default 120000 */
  defaultTimeoutMs?: number | undefined;
  /** Where the routes are, such as `/packs/ledger`: a leading slash, no trailing one. @default "" */
  basePath?: string | undefined;
  /** Receives one record per call, lifecycle event and line that pack code logs (contract §8). @default none */
  onRecord?: ((record: LogRecord) => void) | undefined;
  /** The least severe level that is recorded; lifecycle records always are. @default "info" */
  logLevel?: LogLevel | undefined;
  /** Levels by subsystem (`pack`, `pack.tool`, `pack.check`); dotted names inherit. @default {} */
  logLevels?: Readonly<Record<string, LogLevel>> | undefined;
  /** Adapter seam: the class of the answers, for a server that has a cheaper one. @default globalThis.Response */
  Response?: ResponseConstructor | undefined;
  /**
   * Adapter seam: how a body is read, into bytes or into the text that `decodeBody` would make of them.
   * @default the request's web stream
   */
  readBody?: ReadBody | undefined;
  /**
   * Adapter seam: how a body's bytes become text, a byte order mark skipped; `undefined` for what isn't UTF-8, and nothing
   * thrown. @default a strict TextDecoder
   */
  decodeBody?: DecodeBody | undefined;
  /** Adapter seam: how a caller's disconnect is learnt. @default the `abort` event of `request.signal` */
  onDisconnect?: OnDisconnect | undefined;
  /**
   * Adapter seam: tells a Proxy and a boxed primitive from other objects. By it an output of plain data is judged as it is,
   * without parsing its text again.
   * @default every object may be one
   */
  isExotic?: IsExotic | undefined;
  /** Test seam: a clock that never goes back, in milliseconds. @default performance.now */
  now?: (() => number) | undefined;
}

/** Options with every default filled in. */
export type Settings = ReturnType<typeof readOptions>;

/**
 * Fills in the defaults.
 * @throws TypeError that names every option whose value can't be used, and never the token's
 */
export function readOptions(options: PackHandlerOptions) {
  const problems = CHECKS.flatMap(({ name, valid, expected }) =>
    options[name] === undefined || valid(options[name])
      ? []
      : [`options.${name} must be ${expected}`],
  );
  if (problems.length > 0) throw new TypeError(problems.join("; "));
  return {
    token: options.token,
    env: options.env ?? {},
    envCheck: options.envCheck ?? "strict",
    maxConcurrency: options.maxConcurrency ?? DEFAULT_MAX_CONCURRENCY,
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    defaultTimeoutMs: options.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS,
    basePath: options.basePath ?? "",
    onRecord: options.onRecord,
    logLevel: options.logLevel,
    logLevels: options.logLevels,
    Response: options.Response ?? (globalThis.Response as ResponseConstructor),
    readBody: options.readBody ?? readBodyStream,
    decodeBody: options.decodeBody ?? decodeBody,
    onDisconnect: options.onDisconnect ?? watchSignal,
    isExotic: options.isExotic ?? (() => true),
    now: options.now ?? now,
  };
}

interface Check {
  name: keyof PackHandlerOptions;
  valid: (value: unknown) => boolean;
  expected: string;
}

const CHECKS: readonly Check[] = [
  { name: "token", valid: isToken, expected: "a non-empty text of the characters ! to ~" },
  { name: "env", valid: isObject, expected: "an object" },
  {
    name: "envCheck",
    valid: (v) => v === "strict" || v === "warn",
    expected: '"strict" or "warn"',
  },
  { name: "maxConcurrency", valid: isCount(1), expected: "an integer from 1" },
  { name: "maxBodyBytes", valid: isCount(1), expected: "an integer from 1" },
  {
    name: "defaultTimeoutMs",
    valid: isCount(1, MAX_TIMEOUT_MS),
    expected: `an integer from 1 to ${MAX_TIMEOUT_MS}`,
  },
  {
    name: "basePath",
    valid: isBasePath,
    expected: '"" or a path with a leading slash and no trailing one',
  },
  { name: "onRecord", valid: isFunction, expected: "a function" },
  { name: "logLevel", valid: isLevel, expected: `one of ${LOG_LEVELS.join(", ")}` },
  {
    name: "logLevels",
    valid: (v) => isObject(v) && Object.values(v).every(isLevel),
    expected: `an object whose values are among ${LOG_LEVELS.join(", ")}`,
  },
  { name: "Response", valid: isFunction, expected: "a class" },
  { name: "readBody", valid: isFunction, expected: "a function" },
  { name: "decodeBody", valid: isFunction, expected: "a function" },
  { name: "onDisconnect", valid: isFunction, expected: "a function" },
  { name: "isExotic", valid: isFunction, expected: "a function" },
  { name: "now", valid: isFunction, expected: "a function" },
];

export const OPTION_NAMES = CHECKS.map(({ name }) => name);

function isBasePath(value: unknown): boolean {
  return typeof value === "string" && /^(\/[^/?#]+)*$/.test(value);
}

function isCount(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (value: unknown) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isLevel(value: unknown): boolean {
  return (LOG_LEVELS as readonly unknown[]).includes(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
