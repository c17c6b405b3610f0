import type { LogRecord } from "../../src/records.ts";

/** Longest wait for a record, in milliseconds: only a test that hangs reaches it. */
const MAX_WAIT_MS = 30_000;

/** The records of a service, as they come. */
export class RecordLog {
  readonly all: LogRecord[] = [];
  readonly #waiting = new Set<() => void>();
  #ended = false;

  add(record: LogRecord): void {
    this.all.push(record);
    this.#wake();
  }

  /** No record follows: what is still waited for won't come. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The first record, past or to come, that the predicate takes. */
  async waitFor(what: string, predicate: (record: LogRecord) => boolean): Promise<LogRecord> {
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const found = this.all.find(predicate);
      if (found) return found;
      if (this.#ended || Date.now() > deadline) break;
      await this.#next(deadline);
    }
    const seen = this.all.slice(-20).map((record) => JSON.stringify(record));
    throw new Error(`no record: ${what}; the last ones:\n${seen.join("\n")}`);
  }

  event(name: string, predicate: (record: LogRecord) => boolean = () => true): Promise<LogRecord> {
    return this.waitFor(`event ${name}`, (record) => record.event === name && predicate(record));
  }

  /** The record of a call, by its request id. */
  call(requestId: string): Promise<LogRecord> {
    return this.event("call", (record) => record.requestId === requestId);
  }

  /** What the call's pack code has logged under a message. */
  logged(requestId: string, message: string): Promise<LogRecord> {
    return this.waitFor(
      `${message} of ${requestId}`,
      (record) => record.requestId === requestId && record.message === message,
    );
  }

  count(predicate: (record: LogRecord) => boolean): number {
    return this.all.filter(predicate).length;
  }

  #next(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, deadline - Date.now() + 1);
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
