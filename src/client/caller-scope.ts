import { MAX_TIMEOUT_MS } from "../protocol.ts";

/** The time as a client sees it. */
export interface Clock {
  /** Milliseconds; never goes back. */
  now(): number;
  /** Calls back once after a delay. Returns what stops that. */
  startTimer(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  startTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

interface ScopeOptions {
  clock: Clock;
  timeoutMs: number;
  /** How long after the deadline an answer is still waited for, in milliseconds. */
  slackMs: number;
  signal: AbortSignal | undefined;
}

/** The time that one call takes on its caller's side. Nothing of it is left once it is closed. */
export class CallerScope {
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #interruption: Promise<never>;
  readonly #interrupt: (reason: unknown) => void;
  readonly #cleanups: (() => void)[];
  #request = new AbortController();
  #interrupted: { reason: unknown } | undefined;
  #hasTimedOut = false;

  /** @throws the signal's reason, when it has aborted already */
  constructor({ clock, timeoutMs, slackMs, signal }: ScopeOptions) {
    signal?.throwIfAborted();
    this.#clock = clock;
    this.#deadline = clock.now() + timeoutMs;
    let reject!: (reason: unknown) => void;
    this.#interruption = new Promise((_, rejectLater) => (reject = rejectLater));
    this.#interruption.catch(() => {});
    this.#interrupt = (reason) => {
      this.#interrupted ??= { reason };
      reject(reason);
      this.#request.abort(reason);
    };
    const onAbort = () => this.#interrupt(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const waitMs = Math.min(timeoutMs + slackMs, MAX_TIMEOUT_MS);
    const stopTimer = clock.startTimer(waitMs, () => this.#timeOut());
    this.#cleanups = [() => signal?.removeEventListener("abort", onAbort), stopTimer];
  }

  /** Time left until the deadline, in milliseconds. */
  get remainingMs(): number {
    return this.#deadline - this.#clock.now();
  }

  /** Whether the deadline and its slack have passed. */
  get hasTimedOut(): boolean {
    return this.#hasTimedOut;
  }

  /** The signal for the next request. Each has its own, since runtimes hang a listener on it that stays. */
  nextSignal(): AbortSignal {
    this.#request = new AbortController();
    return this.#request.signal;
  }

  /** Settles as the promise does, or rejects as soon as the call is aborted or out of time. */
  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([this.#interruption, promise]);
  }

  throwIfInterrupted(): void {
    if (this.#interrupted) throw this.#interrupted.reason;
  }

  sleep(delayMs: number): Promise<void> {
    let stop: (() => void) | undefined;
    const slept = new Promise<void>((resolve) => {
      stop = this.#clock.startTimer(delayMs, resolve);
    });
    return this.race(slept).finally(() => stop?.());
  }

  close(): void {
    for (const cleanup of this.#cleanups) cleanup();
  }

  #timeOut(): void {
    this.#hasTimedOut = true;
    this.#interrupt(new DOMException("no answer in time", "TimeoutError"));
  }
}
