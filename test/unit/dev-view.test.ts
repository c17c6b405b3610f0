import { describe, expect, test } from "vitest";
import { View } from "../../adapters/dev/view.ts";
import type { CommandIo } from "../../adapters/commands/command-io.ts";

interface Seen {
  isTerminal: boolean;
  environment?: Record<string, string>;
}

function view({ isTerminal, environment = {} }: Seen) {
  let written = "";
  let now = 0;
  let tick: (() => void) | undefined;
  const output = { isTerminal, write: (text: string) => void (written += text) };
  const clock = {
    now: () => now,
    startTimer(delayMs: number, callback: () => void) {
      tick = () => {
        now += delayMs;
        callback();
      };
      return () => void (tick = undefined);
    },
  };
  const io = { environment, stdout: output, stderr: output } as unknown as CommandIo;
  return { view: new View(io, clock), written: () => written, tick: () => tick?.() };
}

const record = { level: "warn", message: "careful", kind: "x" };
const line = `{"level": "warn", "message": "careful"}`;

describe("what a developer sees", () => {
  test("elsewhere than on a terminal: records as they were written, and no progress", () => {
    const { view: piped, written, tick } = view({ isTerminal: false });
    piped.busy("Starting");
    tick();
    piped.record(record, line);
    piped.text("\u001b[2Jprinted", "stdout");
    piped.busy(undefined);
    expect(written()).toBe(`${line}\n\u001b[2Jprinted\n`);
  });

  test("on a terminal: records to read, and nothing that moves the cursor", () => {
    const { view: shown, written } = view({ isTerminal: true, environment: { NO_COLOR: "1" } });
    shown.record(record, line);
    shown.text("\u001b[2Jprinted", "stdout");
    expect(written()).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}service careful\n\\u001b\[2Jprinted\n$/,
    );
  });

  test("on a terminal: a line of progress, after a while, that makes room for what is told", () => {
    const {
      view: shown,
      written,
      tick,
    } = view({ isTerminal: true, environment: { NO_COLOR: "1" } });
    shown.busy("Starting the pack");
    expect(written()).toBe("");
    tick();
    expect(written()).toMatch(/^\r\u001b\[K\S Starting the pack 0\.3 s$/u);
    shown.text("a", "stderr");
    expect(written()).toMatch(/ s\r\u001b\[Ka\n$/);
    tick();
    shown.busy(undefined);
    expect(written()).toMatch(/0\.4 s\r\u001b\[K$/);
  });

  test.each([
    ["json", true, `${line}\n`],
    ["pretty", false, expect.stringMatching(/ WARN {2}service careful\n$/)],
  ])("in the format that KINDGI_LOG_FORMAT=%s asks for", (format, isTerminal, text) => {
    const { view: shown, written } = view({
      isTerminal,
      environment: { KINDGI_LOG_FORMAT: format },
    });
    shown.record(record, line);
    expect(written()).toEqual(text);
  });
});
