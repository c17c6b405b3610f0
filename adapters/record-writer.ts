import { encodeUtf8, encodeUtf8Into, subarray } from "../src/captured.ts";
import type { LogRecord } from "../src/records.ts";
import { firstSettled } from "./first-settled.ts";
import type { Host } from "./host.ts";

/** A pipe takes this much whole or not at all, so that nobody else's text gets into a record. */
const SLICE_BYTES = 4_096;
const RETRY_MS = 10;
/** After a write, what comes in this time goes out together: a write is what costs. */
const GATHER_MS = 5;
/** When more than this waits for the reader, in UTF-16 code units, new records are dropped. */
const MAX_WAITING = 33_554_432;

const LINE_BREAK = encodeUtf8("\n");

export interface RecordWriterOptions {
  host: Pick<Host, "stderr" | "afterTurn" | "now" | "sleep" | "sleepSync">;
  /** A record as text that ends with a line break. */
  format: (record: LogRecord) => string;
  /** Told, once there is room again, how many records found none. */
  onDropped: (count: number) => void;
}

/**
 * Writes records to stderr: one that comes alone in this turn of the event loop, many that come in a short time
 * together. While the reader is behind they wait here: what is out and what isn't is known exactly, also when pack code
 * ends the process.
 */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  #lines: string[] = [];
  #waiting = 0;
  #dropped = 0;
  readonly #buffer = new Uint8Array(SLICE_BYTES);
  /** What is being written: the rest of a slice. */
  #slice: Uint8Array = new Uint8Array();
  #isStarted = false;
  /** Whether a slice may have been given up half-way. */
  #isMidLine = false;
  #isScheduled = false;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
  }

  write(record: LogRecord): void {
    if (this.#waiting > MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    const line = this.#options.format(record);
    this.#lines.push(line);
    this.#waiting += line.length;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.host.afterTurn(() => void this.#writeWaiting());
  }

  /** Resolves when everything is out, what pack code wrote included, or the time is over. */
  async flush(limitMs: number): Promise<void> {
    const { host } = this.#options;
    const end = host.now() + limitMs;
    while ((!this.#push() || host.stderr.isHolding()) && host.now() < end) {
      const sleep = host.sleep(RETRY_MS);
      await firstSettled([host.stderr.untilWritable?.() ?? sleep, sleep]);
    }
  }

  /** The same for a process that is ending: blocks the thread. */
  flushSync(limitMs: number): void {
    const { host } = this.#options;
    const end = host.now() + limitMs;
    host.stderr.becomeSync?.(host.sleepSync);
    while (!this.#push() && host.now() < end) host.sleepSync(RETRY_MS);
  }

  async #writeWaiting(): Promise<void> {
    const { host } = this.#options;
    while (this.#lines.length > 0) {
      while (!this.#push()) await (host.stderr.untilWritable?.() ?? host.sleep(RETRY_MS));
      await host.sleep(GATHER_MS);
    }
    this.#isScheduled = false;
    if (this.#dropped === 0) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#options.onDropped(dropped);
  }

  /** Writes what is taken now. Returns whether nothing is left. */
  #push(): boolean {
    const { stderr } = this.#options.host;
    try {
      while (this.#slice.length > 0 || this.#takeSlice()) {
        if (!this.#startLine()) return false;
        const taken = stderr.write(this.#slice);
        if (taken === 0) return false;
        this.#slice = subarray(this.#slice, taken);
        this.#isStarted = true;
      }
    } catch {
      this.#giveUp();
    }
    return true;
  }

  /** Makes a slice of as many waiting lines as fit into one, at least one. */
  #takeSlice(): boolean {
    const lines = this.#lines;
    if (lines.length === 0) return false;
    let count = 0;
    let length = 0;
    for (; count < lines.length; count++) {
      const line = lines[count] as string;
      const { read, written } = encodeUtf8Into(line, subarray(this.#buffer, length));
      if (read < line.length) break;
      length += written;
    }
    this.#slice =
      count === 0 ? encodeUtf8(lines[count++] as string) : subarray(this.#buffer, 0, length);
    for (const line of lines.splice(0, count)) this.#waiting -= line.length;
    this.#isStarted = false;
    return true;
  }

  /** Whether the slice can start on a fresh line, or has been started. Asked just before, as others write, too. */
  #startLine(): boolean {
    const { stderr } = this.#options.host;
    const isFresh = this.#isStarted || !(this.#isMidLine || stderr.isMidLine());
    if (!isFresh && stderr.write(LINE_BREAK) === 0) return false;
    this.#isMidLine = false;
    return true;
  }

  /** Nobody can read it: keeping it would only fill the memory. */
  #giveUp(): void {
    this.#isMidLine = true;
    this.#slice = new Uint8Array();
    this.#lines = [];
    this.#waiting = 0;
  }
}
