import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RecordWriter } from "../../adapters/record-writer.ts";
import type { LogRecord } from "../../src/records.ts";

/** A stderr whose reader takes what it is told to. Turns of the event loop are the test's to end. */
class FakeStderr {
  text = "";
  writes = 0;
  midLine = false;
  clockMs = 0;
  holdingUntilMs = 0;
  dropped: number[] = [];
  /** How many bytes each write takes, in turn; then all. */
  takes: number[] = [];
  failure: Error | undefined;
  readonly #turn: (() => void)[] = [];

  readonly stderr = {
    isTerminal: false,
    isMidLine: () => this.midLine,
    isHolding: () => this.clockMs < this.holdingUntilMs,
    write: (bytes: Uint8Array) => {
      if (this.failure) throw this.failure;
      const taken = Math.min(this.takes.shift() ?? bytes.length, bytes.length);
      if (taken > 0) {
        this.writes += 1;
        this.midLine = false;
        this.text += new TextDecoder().decode(bytes.subarray(0, taken));
      }
      return taken;
    },
  };

  readonly afterTurn = (callback: () => void) => void this.#turn.push(callback);
  readonly now = () => this.clockMs;
  sleep = async (ms: number) => void (this.clockMs += ms);
  readonly sleepSync = (ms: number) => void (this.clockMs += ms);

  readonly writer = new RecordWriter({
    host: this,
    format: (record) => `${JSON.stringify(record)}\n`,
    onDropped: (count) => this.dropped.push(count),
  });

  write(...messages: string[]): void {
    for (const message of messages) this.writer.write({ message } as LogRecord);
  }

  endTurn(): void {
    for (const callback of this.#turn.splice(0)) callback();
  }

  /** Ends the turn, and waits until the writer would take the next record in a turn of its own. */
  async settle(): Promise<void> {
    this.endTurn();
    await new Promise(setImmediate);
  }

  get messages(): string[] {
    const lines = this.text.split("\n").filter((line) => line.startsWith("{"));
    return lines.map((line) => (JSON.parse(line) as LogRecord).message);
  }
}

describe("records on stderr (§8)", () => {
  test("those of one turn go out in one write", async () => {
    const host = new FakeStderr();
    host.write("a", "b", "c");
    expect(host.writes).toBe(0);
    await host.settle();
    expect(host.messages).toEqual(["a", "b", "c"]);
    expect(host.writes).toBe(1);
    host.write("d");
    host.endTurn();
    expect(host.messages).toEqual(["a", "b", "c", "d"]);
  });

  test("those that come soon after a write go out in one, and the next ones, too", async () => {
    const host = new FakeStderr();
    const waits: (() => void)[] = [];
    host.sleep = (ms) =>
      new Promise((resolve) => waits.push(() => resolve(void (host.clockMs += ms))));
    host.write("a");
    host.endTurn();
    for (const message of ["b", "c", "d"]) {
      host.write(message);
      host.endTurn();
    }
    expect(host.messages).toEqual(["a"]);
    for (let turns = 2; turns > 0; turns--) {
      waits.shift()?.();
      await new Promise(setImmediate);
    }
    expect(host.messages).toEqual(["a", "b", "c", "d"]);
    expect(host.writes).toBe(2);
    expect(host.clockMs).toBeGreaterThan(0);
    host.write("e");
    host.endTurn();
    expect(host.messages.at(-1)).toBe("e");
  });

  test("no write is longer than what a pipe takes whole, unless a record is", () => {
    const host = new FakeStderr();
    const lengths: number[] = [];
    const { write } = host.stderr;
    host.stderr.write = (bytes) => (lengths.push(bytes.length), write(bytes));
    host.write(...Array.from({ length: 50 }, () => "x".repeat(500)), "y".repeat(9_000));
    host.endTurn();
    expect(host.messages).toHaveLength(51);
    expect(Math.max(...lengths.slice(0, -1))).toBeLessThanOrEqual(4_096);
    expect(lengths.at(-1)).toBeGreaterThan(9_000);
  });

  test("one starts on a fresh line, and only then is there a line break before it", async () => {
    const host = new FakeStderr();
    host.text = "half";
    host.midLine = true;
    host.write("a");
    await host.settle();
    host.write("b");
    host.endTurn();
    expect(host.text).toBe(`half\n{"message":"a"}\n{"message":"b"}\n`);
  });

  test("pack code that writes while the reader is behind breaks none", async () => {
    const host = new FakeStderr();
    host.takes = [0];
    host.write("a");
    host.endTurn();
    host.text += "half";
    host.midLine = true;
    await host.writer.flush(1_000);
    expect(host.text).toBe(`half\n{"message":"a"}\n`);
  });

  test("whatever is taken at a time, all arrive once and in order", async () => {
    // ASCII, since a cut inside a character would be decoded as two halves.
    const message = fc.string({ maxLength: 3_000, unit: "grapheme-ascii" });
    const messages = fc.array(message, { minLength: 1, maxLength: 20 });
    const takes = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(messages, takes, async (given, taken) => {
        const host = new FakeStderr();
        host.takes = taken;
        host.write(...given);
        host.endTurn();
        await host.writer.flush(100_000);
        expect(host.messages).toEqual(given);
      }),
    );
  });

  test("what waits is flushed when the process ends, also without another turn", () => {
    const host = new FakeStderr();
    host.takes = [0, 5, 0, 0];
    host.write("a", "b");
    host.writer.flushSync(1_000);
    expect(host.messages).toEqual(["a", "b"]);
  });

  test("what pack code wrote is waited for, too", async () => {
    const host = new FakeStderr();
    host.holdingUntilMs = 50;
    await host.writer.flush(1_000);
    expect(host.clockMs).toBe(50);
  });

  test("a reader that never reads holds nothing up past the limit", async () => {
    const host = new FakeStderr();
    host.takes = Array.from({ length: 10_000 }, () => 0);
    host.write("a");
    await host.writer.flush(200);
    expect(host.clockMs).toBe(200);
    host.writer.flushSync(300);
    expect(host.clockMs).toBe(500);
    expect(host.text).toBe("");
  });

  test("after a reader that is gone, or a disk that was full, the next record starts a line of its own", async () => {
    const host = new FakeStderr();
    host.failure = new Error("ENOSPC");
    host.write("lost");
    await host.settle();
    host.failure = undefined;
    host.write("a");
    host.endTurn();
    expect(host.text).toBe(`\n{"message":"a"}\n`);
  });

  test("what no memory is kept for is counted and told of", async () => {
    const host = new FakeStderr();
    host.takes = [0];
    const large = "x".repeat(1_048_576);
    for (let i = 0; i < 40; i++) host.write(large);
    host.endTurn();
    await host.writer.flush(1_000);
    await new Promise(setImmediate);
    const [dropped = 0] = host.dropped;
    expect(dropped).toBeGreaterThan(0);
    expect(host.messages.length + dropped).toBe(40);
  });
});
