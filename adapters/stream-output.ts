import { writeSync } from "node:fs";
import type { CommandOutput } from "./commands/command-io.ts";

/** Longest that the last words of a process may take, in milliseconds. */
const LAST_WORDS_MS = 1_000;
const RETRY_MS = 10;

export interface StreamOutput extends CommandOutput {
  /** Resolves when everything that was written is on its way, or never will be. */
  written(): Promise<void>;
  /** The process is ending, and nothing runs any more but writes: they may block. */
  becomeSync(): void;
}

/** A command's output over a stream of its process. */
export function streamOutput(stream: NodeJS.WriteStream, fd: number): StreamOutput {
  let last = Promise.resolve();
  let isSync = false;
  // A reader that went away, such as head, is no fault.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    write(given) {
      if (isSync) return writeLastWords(fd, given);
      last = new Promise((resolve) => void stream.write(given, () => resolve()));
    },
    written: () => last,
    becomeSync() {
      isSync = true;
    },
  };
}

function writeLastWords(fd: number, text: string): void {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + LAST_WORDS_MS;
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0 && performance.now() < end) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(lock, 0, 0, RETRY_MS);
    }
  }
}
