import type { Clock } from "../../src/client/caller-scope.ts";
import { encodeJson } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import { LOG_LEVELS } from "../../src/records.ts";
import type { LogRecord } from "../../src/records.ts";
import { painterFor } from "../commands/command-io.ts";
import type { CommandIo } from "../commands/command-io.ts";
import { visible } from "../paint.ts";
import { prettyRecord } from "../pretty.ts";
import { Progress } from "./progress.ts";

/** What a developer sees: records and what pack code prints, as it comes, and what is going on. */
export class View {
  readonly #io: CommandIo;
  readonly #progress: Progress;
  readonly #isPretty: boolean;
  readonly #colour: boolean;

  constructor(io: CommandIo, clock: Clock) {
    const { stderr, environment } = io;
    const format = environment.KINDGI_LOG_FORMAT ?? "";
    this.#io = io;
    this.#progress = new Progress(stderr, clock, painterFor(stderr, environment));
    this.#isPretty = format === "pretty" || (format !== "json" && stderr.isTerminal);
    this.#colour = stderr.isTerminal && !environment.NO_COLOR;
  }

  /** @param line the record as it was written, where it was */
  record(record: JsonObject, line = encodeJson(record)): void {
    this.#progress.clear();
    const text = this.#isPretty
      ? prettyRecord(asLogRecord(record), { colour: this.#colour })
      : `${line}\n`;
    this.#io.stderr.write(text);
  }

  /** A line that pack code has printed; a terminal obeys nothing in it. */
  text(line: string, output: "stdout" | "stderr"): void {
    this.#progress.clear();
    const to = this.#io[output];
    to.write(`${to.isTerminal ? visible(line) : line}\n`);
  }

  /** Shows that something is going on, until it is told that nothing is. */
  busy(label: string | undefined): void {
    if (label === undefined) this.#progress.stop();
    else this.#progress.start(label);
  }
}

/** Another service of the protocol may write less into a record than this one. */
function asLogRecord(record: JsonObject): LogRecord {
  const { time, level, subsystem, message, kind } = record;
  const known = LOG_LEVELS.find((name) => name === level) ?? "info";
  return {
    ...record,
    time: typeof time === "string" ? time : new Date().toISOString(),
    level: known,
    severity: "INFO",
    subsystem: typeof subsystem === "string" ? subsystem : "service",
    message: typeof message === "string" ? message : String(kind ?? ""),
  };
}
