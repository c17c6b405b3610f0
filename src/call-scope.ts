import { AbortController, DOMException } from "./captured.ts";
import { Failure } from "./failure.ts";

export type Interruption = "deadline-exceeded" | "cancelled";

export interface CallScopeOptions {
  now: () => number;
  /** When the request arrived, by `now`. */
  startedAt: number;
  timeoutMs: number;
}

/**
 * The one place that ends a call early: its deadline, its caller's disconnect and the end of a drain all arrive
 * here. Pack code's signal is made only when it is read; most handlers never do.
 */
export class CallScope {
  readonly #options: CallScopeOptions;
  #interruption: Failure | undefined;
  #controller: AbortController | undefined;
  #closed = false;
  #onInterrupt: ((failure: Failure) => void) | undefined;

  constructor(options: CallScopeOptions) {
    this.#options = options;
  }

  /** When the call must be over, by `now`. */
  get deadlineAt(): number {
    return this.#options.startedAt + this.#options.timeoutMs;
  }

  /** Milliseconds until then. */
  get remainingMs(): number {
    return this.deadlineAt - this.#options.now();
  }

  /** Milliseconds since the request arrived. */
  get elapsedMs(): number {
    return this.#options.now() - this.#options.startedAt;
  }

  /** Why the call was ended early, once it was. */
  get interruption(): Failure | undefined {
    return this.#interruption;
  }

  /** Aborts on the deadline (`TimeoutError`) and on cancellation (`AbortError`). */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#interruption && !this.#controller.signal.aborted) this.#abort(this.#interruption);
    return this.#controller.signal;
  }

  /**
   * What `work` comes to or, as soon as the call is interrupted, why. A deadline that passed unseen counts. For all the
   * work of the call, since there is one race at a time.
   */
  race<T>(work: Promise<T>): Promise<T | Failure> {
    return new Promise((resolve, reject) => {
      this.#onInterrupt = resolve;
      if (this.#interruption) resolve(this.#interruption);
      void this.#forward(work, resolve, reject);
    });
  }

  /** The deadline has come. */
  expire(): void {
    this.#interrupt(
      "deadline-exceeded",
      `the call's deadline of ${this.#options.timeoutMs} ms passed`,
    );
  }

  cancel(message: string): void {
    this.#interrupt("cancelled", message);
  }

  /** Ends the scope: from now on nothing interrupts it. */
  close(): void {
    this.#onInterrupt = undefined;
    this.#closed = true;
  }

  /** By `await`, since pack code may have replaced `Promise.prototype.then`. */
  async #forward<T>(
    work: Promise<T>,
    resolve: (value: T | Failure) => void,
    reject: (reason: unknown) => void,
  ): Promise<void> {
    try {
      const value = await work;
      // Code that blocked the thread past the deadline kept the timer from firing.
      if (this.elapsedMs >= this.#options.timeoutMs) this.expire();
      resolve(this.#interruption ?? value);
    } catch (reason) {
      reject(reason);
    }
  }

  #interrupt(code: Interruption, message: string): void {
    if (this.#interruption || this.#closed) return;
    this.#interruption = new Failure(code, message);
    this.#onInterrupt?.(this.#interruption);
    if (this.#controller) this.#abort(this.#interruption);
  }

  #abort({ code, message }: Failure): void {
    const name = code === "cancelled" ? "AbortError" : "TimeoutError";
    this.#controller?.abort(new DOMException(message, name));
  }
}
