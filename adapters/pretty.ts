import { encodeJson } from "../src/json.ts";
import type { LogLevel, LogRecord } from "../src/records.ts";

const COLOURS: Readonly<Record<LogLevel, number>> = {
  error: 31,
  warn: 33,
  info: 32,
  debug: 36,
  trace: 90,
};
const DIM = 2;
const HIDDEN = new Set(["time", "level", "severity", "subsystem", "message", "event", "kind"]);
const CONTROL = /\p{Cc}/gu;
const PLAIN = /^[^\s"=]+$/;

/** A record for a person: one line, and below it the sentences of its lists, such as `problems`. */
export function prettyRecord(record: LogRecord, { colour = false } = {}): string {
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const line = [
    paint(DIM, record.time.slice(11, 23)),
    paint(COLOURS[record.level], record.level.toUpperCase().padEnd(5)),
    paint(DIM, visible(record.subsystem)),
    visible(record.message),
  ];
  const below: string[] = [];
  for (const [name, value] of Object.entries(record)) {
    if (HIDDEN.has(name) || value === undefined) continue;
    if (isSentences(value)) below.push(...value.map((item) => `  - ${visible(item)}`));
    else line.push(`${paint(DIM, `${visible(name)}=`)}${valueText(value)}`);
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

/** Text that moves no cursor and forges no line. */
function visible(text: string): string {
  return text.replace(CONTROL, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return character === "\n" ? "\\n" : `\\u${code}`;
  });
}
