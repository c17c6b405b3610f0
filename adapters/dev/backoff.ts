const FIRST_MS = 250;
const LONGEST_MS = 15_000;
/** A service that ran this long before it ended, in milliseconds, starts the delays anew. */
const STABLE_MS = 10_000;

/** How long to wait before a service that ended is started again: longer each time, up to 15 s. */
export class Backoff {
  #nextMs = FIRST_MS;

  /** @param upMs how long the service was up */
  delayMs(upMs: number): number {
    if (upMs >= STABLE_MS) this.reset();
    const delayMs = this.#nextMs;
    this.#nextMs = Math.min(2 * delayMs, LONGEST_MS);
    return delayMs;
  }

  reset(): void {
    this.#nextMs = FIRST_MS;
  }
}
