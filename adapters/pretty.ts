import { encodeJson } from "../src/json.ts";
import type { LogLevel, LogRecord } from "../src/records.ts";
import { painter, visible } from "./paint.ts";

const COLOURS = {
  error: "red",
  warn: "yellow",
  info: "green",
  debug: "cyan",
  trace: "grey",
} as const satisfies Record<LogLevel, string>;
const HIDDEN = new Set(["time", "level", "severity", "subsystem", "message", "event", "kind"]);
const PLAIN = /^[^\s"=]+$/;

/** A record for a person: one line, and below it the sentences of its lists, such as `problems`. */
export function prettyRecord(record: LogRecord, { colour = false } = {}): string {
  const paint = painter(colour);
  const line = [
    paint("dim", record.time.slice(11, 23)),
    paint(COLOURS[record.level], record.level.toUpperCase().padEnd(5)),
    paint("dim", visible(record.subsystem)),
    visible(record.message),
  ];
  const below: string[] = [];
  for (const [name, value] of Object.entries(record)) {
    if (HIDDEN.has(name) || value === undefined) continue;
    if (isSentences(value)) below.push(...value.map((item) => `  - ${visible(item)}`));
    else line.push(`${paint("dim", `${visible(name)}=`)}${valueText(value)}`);
  }
  return `${[line.join(" "), ...below].join("\n")}\n`;
}

function isSentences(value: unknown): value is string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return false;
  return !value.every((item) => PLAIN.test(item));
}

function valueText(value: unknown): string {
  const items = Array.isArray(value) ? value : [value];
  const isPlain = items.every((item) => typeof item === "string" && PLAIN.test(item));
  return visible(isPlain && items.length > 0 ? items.join(",") : encodeJson(value));
}
