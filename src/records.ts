import { assign, entries, fromEntries, max, timestamp } from "./captured.ts";
import { BareObject, encodeJson, isArray } from "./json.ts";
import type { Outcome, TargetKind } from "./protocol.ts";
import { Redactor } from "./redact.ts";

export const LOG_LEVELS = ["error", "warn", "info", "debug", "trace"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** One log line, its members in the order of contract §8, already redacted. */
export interface LogRecord {
  /** ISO 8601, UTC, milliseconds. */
  time: string;
  level: LogLevel;
  severity: "ERROR" | "WARNING" | "INFO" | "DEBUG";
  subsystem: string;
  message: string;
  [member: string]: unknown;
}

/** The ids a record may carry, in the order in which they stand in it. */
const ID_MEMBERS = [
  "traceId",
  "spanId",
  "requestId",
  "tenantId",
  "projectId",
  "orgId",
  "runId",
  "toolId",
  "checkId",
] as const;

export type RecordIds = { readonly [name in (typeof ID_MEMBERS)[number]]?: string | undefined };

/** The more severe, the less. */
const RANKS = { error: 0, warn: 1, info: 2, debug: 3, trace: 4 } as const satisfies Record<
  LogLevel,
  number
>;

const SEVERITIES = {
  error: "ERROR",
  warn: "WARNING",
  info: "INFO",
  debug: "DEBUG",
  trace: "DEBUG",
} as const satisfies Record<LogLevel, LogRecord["severity"]>;

/** Members that an event's own can't take the place of. */
const RESERVED = new Set<string>([
  "time",
  "level",
  "severity",
  "subsystem",
  "message",
  ...ID_MEMBERS,
]);

const NO_IDS = new BareObject() as RecordIds;
const MAX_ID_LENGTH = 256;

const SERVICE = "service";
const CALLS = "pack";

/** What pack code logs with: `ctx.log`. */
export type PackLog = Record<LogLevel, (message: unknown, fields?: unknown) => void> & {
  /** A log whose every record carries these members too. */
  child(fields: unknown): PackLog;
};

export interface FinishedCall {
  target?: TargetKind | undefined;
  id?: string | undefined;
  outcome: Outcome;
  durationMs: number;
}

export interface RecorderOptions {
  /** Receives every record. @default none is made */
  onRecord?: ((record: LogRecord) => void) | undefined;
  /** The least severe level that is recorded; lifecycle records always are. @default "info" */
  level?: LogLevel | undefined;
  /** Levels by subsystem; `pack` counts for `pack.tool` too. @default {} */
  levels?: Readonly<Record<string, LogLevel>> | undefined;
  /** Values that must be in no record (contract §8). @default [] */
  secrets?: readonly string[] | undefined;
}

/** Makes records and hands them on. Never throws, whatever it is given and whatever `onRecord` does. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #redactor: Redactor;
  readonly #levels: ReadonlyMap<string, LogLevel>;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#redactor = new Redactor(options.secrets ?? []);
    this.#levels = new Map(entries(options.levels ?? {}));
  }

  /** An event of the service's own life, recorded whatever the level. Its members hold no text of the pack's. */
  lifecycle(level: LogLevel, event: string, message: string, members: object = {}): void {
    this.#emit(level, SERVICE, message, NO_IDS, { event, kind: event, ...members });
  }

  /** A lifecycle event whose members hold what pack code threw or wrote: secrets are masked in them. */
  fault(level: LogLevel, event: string, message: string, members: object): void {
    const masked = this.#redactor.value(members) as object;
    this.lifecycle(level, event, this.#redactor.text(message), masked);
  }

  /** Something about a call that isn't its end. */
  note(level: LogLevel, event: string, message: string, ids: RecordIds, members: object): void {
    if (!this.#isOn(CALLS, level)) return;
    this.#emit(level, CALLS, message, ids, { event, kind: event, ...members });
  }

  /** The one record of a call. */
  call(call: FinishedCall, ids: RecordIds): void {
    const level = call.outcome === "ok" ? "info" : "warn";
    if (!this.#isOn(CALLS, level)) return;
    const { target, id, outcome, durationMs } = call;
    const record = this.#record(level, CALLS, `call ${outcome}`, ids);
    record.event = "call";
    record.kind = "call";
    if (target !== undefined) {
      record.target = target;
      record.id = this.#idText(id ?? "");
    }
    record.outcome = outcome;
    record.durationMs = durationMs;
    this.#send(record);
  }

  /** The log that a call's code gets. `secrets` are the call's own, masked beside the service's. */
  packLog(target: TargetKind, ids: RecordIds, secrets: readonly string[]): PackLog {
    const subsystem = `${CALLS}.${target}`;
    let redactor: Redactor | undefined;
    const write = (level: LogLevel, message: unknown, fields: readonly unknown[]): void => {
      if (!this.#isOn(subsystem, level)) return;
      redactor ??= this.#redactor.with(secrets);
      // Assigning must not meet a setter that every object inherits, such as that of __proto__.
      const members = assign(new BareObject(), ...fields.map(fieldsBy(redactor)));
      this.#emit(level, subsystem, logMessage(redactor, message), ids, members);
    };
    return packLogOver(write, []);
  }

  #isOn(subsystem: string, level: LogLevel): boolean {
    if (!this.#options.onRecord) return false;
    return RANKS[level] <= RANKS[this.#levelOf(subsystem)];
  }

  #levelOf(subsystem: string): LogLevel {
    if (this.#levels.size === 0) return this.#options.level ?? "info";
    for (let name = subsystem; name !== ""; name = name.slice(0, max(0, name.lastIndexOf(".")))) {
      const level = this.#levels.get(name);
      if (level) return level;
    }
    return this.#options.level ?? "info";
  }

  #emit(
    level: LogLevel,
    subsystem: string,
    message: string,
    ids: RecordIds,
    members: object,
  ): void {
    this.#send(assign(this.#record(level, subsystem, message, ids), members));
  }

  #record(level: LogLevel, subsystem: string, message: string, ids: RecordIds): LogRecord {
    const record = new BareObject() as LogRecord;
    record.time = timestamp();
    record.level = level;
    record.severity = SEVERITIES[level];
    record.subsystem = subsystem;
    record.message = message;
    for (const name of ID_MEMBERS) {
      const id = ids[name];
      if (id !== undefined) record[name] = this.#idText(id);
    }
    return record;
  }

  #send(record: LogRecord): void {
    try {
      this.#options.onRecord?.(record);
    } catch {
      // A sink that fails must not fail the call it is told of.
    }
  }

  /** An id comes from the caller: it may be anything, of any length. */
  #idText(id: string): string {
    const text = this.#redactor.text(id);
    return text.length > MAX_ID_LENGTH ? `${text.slice(0, MAX_ID_LENGTH - 1)}…` : text;
  }
}

type WriteLog = (level: LogLevel, message: unknown, fields: readonly unknown[]) => void;

function packLogOver(write: WriteLog, inherited: readonly unknown[]): PackLog {
  const at = (level: LogLevel) => (message: unknown, fields?: unknown) =>
    write(level, message, fields === undefined ? inherited : [...inherited, fields]);
  return {
    error: at("error"),
    warn: at("warn"),
    info: at("info"),
    debug: at("debug"),
    trace: at("trace"),
    child: (fields) => packLogOver(write, [...inherited, fields]),
  };
}

function logMessage(redactor: Redactor, message: unknown): string {
  if (typeof message === "string") return redactor.text(message);
  const copy = redactor.value(message);
  return typeof copy === "object" && copy !== null ? encodeJson(copy) : String(copy);
}

function fieldsBy(redactor: Redactor): (fields: unknown) => Record<string, unknown> {
  return (fields) => logMembers(redactor.value(fields));
}

/** A log call's fields as members of its record. What would take a reserved name's place gets a `_` behind it. */
function logMembers(fields: unknown): Record<string, unknown> {
  if (fields === undefined) return {};
  if (typeof fields !== "object" || fields === null || isArray(fields)) return { fields };
  const members = entries(fields);
  return fromEntries(
    members.map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, value]),
  );
}
