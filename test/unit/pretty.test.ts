import { describe, expect, test } from "vitest";
import { prettyRecord } from "../../adapters/pretty.ts";
import type { LogRecord } from "../../src/records.ts";

const record: LogRecord = {
  time: "2026-12-01T10:20:30.456Z",
  level: "warn",
  severity: "WARNING",
  subsystem: "pack",
  message: "call handler-throw",
  runId: "r 1",
  event: "call",
  kind: "call",
  durationMs: 12,
};

describe("the pretty format (§7)", () => {
  test("has the time of day, the level, the message and the event's members on one line", () => {
    const text = prettyRecord(record);
    expect(text).toBe(`10:20:30.456 WARN  pack call handler-throw runId="r 1" durationMs=12\n`);
  });

  test("sentences take a line each, names stay on the first", () => {
    const text = prettyRecord({ ...record, problems: ["one thing", "two"], names: ["A", "B"] });
    expect(text).toMatch(/durationMs=12 names=A,B\n {2}- one thing\n {2}- two\n$/);
  });

  test("other lists are JSON", () => {
    const text = prettyRecord({ ...record, none: [], mixed: ["a", 1] });
    expect(text).toMatch(/none=\[\] mixed=\["a",1\]\n$/);
  });

  test("colours the level only when asked", () => {
    expect(prettyRecord(record)).not.toContain("\u001b");
    expect(prettyRecord(record, { colour: true })).toContain("\u001b[33mWARN \u001b[0m");
  });

  test("what pack code wrote moves no cursor and begins no line", () => {
    const text = prettyRecord({
      ...record,
      message: "a\u001b[2J\nb",
      note: "c\rd",
      list: ["e\nf"],
    });
    expect(text).toContain("a\\u001b[2J\\nb");
    expect(text.match(/(?!\n)\p{Cc}/u)).toBeNull();
    expect(text.trimEnd().split("\n")).toHaveLength(2);
  });

  test("members without a value are left out, objects are JSON", () => {
    const text = prettyRecord({ ...record, none: undefined, cause: { name: "Error" } });
    expect(text).not.toContain("none");
    expect(text).toContain(`cause={"name":"Error"}`);
  });
});
