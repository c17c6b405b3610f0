import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeJson } from "../../src/json.ts";
import { Recorder } from "../../src/records.ts";
import type { LogRecord, RecorderOptions } from "../../src/records.ts";

function recorderWith(options: RecorderOptions = {}) {
  const records: LogRecord[] = [];
  const recorder = new Recorder({ onRecord: (record) => records.push(record), ...options });
  return { records, recorder };
}

function logWith(options: RecorderOptions = {}, secrets: string[] = []) {
  const { records, recorder } = recorderWith(options);
  const log = recorder.packLog("tool", { runId: "r", toolId: "t" }, secrets);
  return { records, log };
}

describe("records (§8)", () => {
  test("have their members in order", () => {
    const { records, recorder } = recorderWith();
    const ids = { checkId: "c", toolId: "t", runId: "r", orgId: "o", projectId: "p" };
    const more = { tenantId: "n", requestId: "q", spanId: "s", traceId: "i" };
    recorder.call({ target: "tool", id: "t", outcome: "ok", durationMs: 3 }, { ...ids, ...more });
    expect(Object.keys(records[0] as LogRecord).join(" ")).toBe(
      "time level severity subsystem message traceId spanId requestId tenantId projectId orgId runId toolId checkId " +
        "event kind target id outcome durationMs",
    );
    expect(records[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test.each([
    ["error", "ERROR"],
    ["warn", "WARNING"],
    ["info", "INFO"],
    ["debug", "DEBUG"],
    ["trace", "DEBUG"],
  ] as const)("of level %s have the severity %s", (level, severity) => {
    const { records, log } = logWith({ level: "trace" });
    log[level]("x");
    expect(records[0]).toMatchObject({ level, severity, subsystem: "pack.tool", runId: "r" });
  });

  test("hold the service's secrets in no id of a call", () => {
    const { records, recorder } = recorderWith({ secrets: ["hunter2"] });
    const ids = { requestId: "hunter2", runId: "run of hunter2", toolId: "hunter2" };
    recorder.call({ target: "tool", id: "hunter2", outcome: "ok", durationMs: 1 }, ids);
    expect(records[0]).toMatchObject({ runId: "run of [redacted]", toolId: "[redacted]" });
    expect(JSON.stringify(records)).not.toContain("hunter2");
  });

  test("of a call are info when ok, else warn, and name the outcome", () => {
    const { records, recorder } = recorderWith();
    recorder.call({ target: "check", id: "c", outcome: "ok", durationMs: 1 }, {});
    recorder.call({ outcome: "malformed-message", durationMs: 2 }, {});
    expect(records[0]).toMatchObject({
      level: "info",
      subsystem: "pack",
      event: "call",
      kind: "call",
    });
    expect(records[0]).toMatchObject({ target: "check", id: "c", outcome: "ok", durationMs: 1 });
    expect(records[1]).toMatchObject({ level: "warn", outcome: "malformed-message" });
  });

  test("of the lifecycle are written whatever the level, and name the event twice", () => {
    const { records, recorder } = recorderWith({ level: "error" });
    recorder.lifecycle("info", "listening", "m", { port: 1 });
    recorder.call({ outcome: "ok", durationMs: 1 }, {});
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ event: "listening", kind: "listening", port: 1 });
  });

  test("follow the level of their subsystem, dotted names inheriting", () => {
    const levels = { pack: "error", "pack.tool": "debug" } as const;
    const { records, recorder } = recorderWith({ levels });
    const tool = recorder.packLog("tool", {}, []);
    const check = recorder.packLog("check", {}, []);
    tool.debug("kept");
    tool.trace("dropped");
    check.warn("dropped");
    check.error("kept");
    recorder.call({ outcome: "handler-throw", durationMs: 1 }, {});
    expect(records.map((record) => record.message)).toEqual(["kept", "kept"]);
  });

  test("a sink that throws disturbs nobody", () => {
    const recorder = new Recorder({
      onRecord() {
        throw new Error("full");
      },
    });
    expect(() => recorder.lifecycle("info", "x", "m")).not.toThrow();
  });

  test("bound the ids that a caller chose", () => {
    const { records, recorder } = recorderWith();
    recorder.call({ outcome: "ok", durationMs: 1 }, { runId: "x".repeat(1e6) });
    expect(encodeJson(records[0]).length).toBeLessThan(1_000);
  });
});

describe("ctx.log (§8)", () => {
  test("writes fields and a child's, never over the record's own", () => {
    const { records, log } = logWith();
    log
      .child({ part: "a", n: 1 })
      .info("done", { n: 2, level: "fake", runId: "fake", message: "fake" });
    expect(records[0]).toMatchObject({
      message: "done",
      level: "info",
      runId: "r",
      part: "a",
      n: 2,
    });
    expect(records[0]).toMatchObject({ level_: "fake", runId_: "fake", message_: "fake" });
  });

  test("takes any value for message and fields", () => {
    const { records, log } = logWith();
    log.info({ a: 1 });
    log.info("list", [1, 2]);
    log.info("error", new Error("boom"));
    log.info("big", { n: 10n, f() {}, u: undefined, nan: Number.NaN });
    expect(records[0]?.message).toBe('{"a":1}');
    expect(records[1]?.fields).toEqual([1, 2]);
    expect(records[2]).toMatchObject({ name: "Error", message_: "boom" });
    expect(records[3]).toMatchObject({ n: "10", f: "[function]", nan: "NaN" });
  });

  test("survives cycles, depth, size and getters that throw", () => {
    const { records, log } = logWith();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    Object.defineProperty(cycle, "bad", {
      enumerable: true,
      get() {
        throw new Error("no");
      },
    });
    cycle.list = Array.from({ length: 1e5 }, () => "x");
    log.info("odd", cycle);
    expect(records[0]).toMatchObject({ self: "[circular]", bad: "[unreadable]" });
    expect(encodeJson(records[0]).length).toBeLessThan(100_000);
  });

  test("of any fields makes one line of JSON", () => {
    const { records, log } = logWith();
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withTypedArray: true }),
        (fields) => {
          records.length = 0;
          log.info("any", fields);
          expect(JSON.parse(encodeJson(records[0]))).toMatchObject({ message: "any" });
        },
      ),
    );
  });
});

describe("redaction (§8)", () => {
  test.each([
    "authorization",
    "Proxy-Authorization",
    "set_cookie",
    "accessToken",
    "kindgi-pack-token",
    "PASSWORD",
    "db_passwd",
    "clientSecret",
    "secrets",
    "api_key",
    "X-Api-Key",
    "privateKey",
    "passphrase",
    "credential",
    "aws-credentials",
  ])("hides the member %s at any depth", (name) => {
    const { records, log } = logWith();
    log.info("x", { deep: [{ [name]: "hush" }] });
    expect(records[0]?.deep).toEqual([{ [name]: "[redacted]" }]);
  });

  test.each(["tokens", "monkey", "passwordless", "authorizations"])(
    "leaves the member %s",
    (name) => {
      const { records, log } = logWith();
      log.info("x", { [name]: "plain" });
      expect(records[0]?.[name]).toBe("plain");
    },
  );

  test.each([
    ["Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"],
    ["postgres://user:pw@host/db", "postgres://user:[redacted]@host/db"],
    ["redis://:pw@host", "redis://:[redacted]@host"],
    ["a http://u:p@h and https://v:q@i", "a http://u:[redacted]@h and https://v:[redacted]@i"],
    ["http://host:80/x@y", "http://host:80/x@y"],
  ])("masks %j as %j", (text, masked) => {
    const { records, log } = logWith();
    log.info(text, { text });
    expect(records[0]).toMatchObject({ message: masked, text: masked });
  });

  test("masks the service's and the call's secrets wherever they stand", () => {
    const { records, log } = logWith({ secrets: ["pack-token"] }, ["hunter2", "7", "1234"]);
    log.info("hunter2 and pack-token", {
      "k-hunter2": ["x hunter2 y"],
      pin: 1234,
      n: 7,
      word: "7",
      s: "17",
    });
    const text = encodeJson(records[0]);
    expect(text).not.toMatch(/hunter2|pack-token|1234/);
    expect(records[0]).toMatchObject({ n: "[redacted]", word: "[redacted]", s: "17" });
  });

  test("takes no time that grows faster than the text", () => {
    const { log } = logWith();
    const text = "a".repeat(300_000);
    log.info(`${text}://`, { text: `bearer ${" ".repeat(300_000)}`, more: "x://".repeat(80_000) });
  });
});
