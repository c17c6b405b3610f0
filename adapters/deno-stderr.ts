import { writeSync } from "node:fs";
import process from "node:process";
import { encodeUtf8, now } from "../src/captured.ts";
import type { HostOutput } from "./host.ts";

const STDERR = 2;
const LINE_BREAK = 10;
/** How long a write takes at most while the reader keeps up. */
const MAX_WRITE_MS = 50;

export interface DenoWriter {
  write(bytes: Uint8Array): Promise<number>;
  isTerminal(): boolean;
}

/**
 * Deno's stderr, written to from its other threads: a write to a pipe that nobody reads never returns, and must not
 * hold up this one. What pack code writes through `process.stderr` goes the same way, so that all keeps its order.
 */
export class DenoStderr implements HostOutput {
  readonly isTerminal: boolean;
  readonly #stderr: DenoWriter;
  readonly #queue: { bytes: Uint8Array; onWritten: (error?: Error | null) => void }[] = [];
  #writing: Promise<void> | undefined;
  #writingSince = 0;
  #failure: unknown;
  #isMidLine = false;
  #isSync = false;

  constructor(stderr: DenoWriter) {
    this.#stderr = stderr;
    this.isTerminal = stderr.isTerminal();
    this.#takeOver(process.stderr);
  }

  write(bytes: Uint8Array): number {
    if (this.#failure !== undefined) {
      const failure = this.#failure;
      this.#failure = undefined;
      throw failure;
    }
    if (this.#isSync) writeSync(STDERR, bytes);
    else if (this.#writing) return 0;
    else this.#enqueue(bytes.slice(), () => {});
    this.#isMidLine = false;
    return bytes.length;
  }

  isMidLine(): boolean {
    return this.#isMidLine;
  }

  isHolding(): boolean {
    return this.#writing !== undefined;
  }

  untilWritable(): Promise<void> | undefined {
    return this.#writing;
  }

  /** A write under way goes on in its thread: it is over in no time, unless nobody has been reading for a while. */
  becomeSync(sleepSync: (ms: number) => void): void {
    if (this.#isSync) return;
    this.#isSync = true;
    if (!this.#writing) return;
    const isStuck = now() - this.#writingSince > MAX_WRITE_MS;
    if (isStuck) this.#failure = new Error("stderr is not read");
    else sleepSync(MAX_WRITE_MS);
  }

  #takeOver(stream: NodeJS.WriteStream): void {
    stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
      const bytes = typeof chunk === "string" ? encodeUtf8(chunk) : (chunk as Uint8Array).slice();
      const callback = rest.at(-1);
      if (bytes.length > 0) this.#isMidLine = bytes.at(-1) !== LINE_BREAK;
      const isFree = this.#writing === undefined;
      this.#enqueue(bytes, typeof callback === "function" ? (callback as () => void) : () => {});
      return isFree;
    };
  }

  #enqueue(bytes: Uint8Array, onWritten: (error?: Error | null) => void): void {
    this.#queue.push({ bytes, onWritten });
    this.#writing ??= this.#writeQueue();
  }

  async #writeQueue(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      try {
        await this.#writeAll(next.bytes);
        next.onWritten();
      } catch (error) {
        this.#failure = error;
        next.onWritten(error as Error);
      }
    }
    this.#writing = undefined;
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0;) {
      this.#writingSince = now();
      rest = rest.subarray(await this.#stderr.write(rest));
    }
  }
}
