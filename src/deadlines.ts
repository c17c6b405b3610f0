import type { CallScope } from "./call-scope.ts";
import { ceil, clearTimeout, setTimeout } from "./captured.ts";

/**
 * Ends calls at their deadlines by one timer, set to the first of them. Most calls are over long before, so a timer for
 * each would be set for nothing.
 */
export class Deadlines {
  readonly #running: ReadonlySet<CallScope>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Infinity;

  /** @param running the calls whose deadlines count when the timer goes off */
  constructor(running: ReadonlySet<CallScope>) {
    this.#running = running;
  }

  /** A call has started. */
  watch(scope: CallScope): void {
    if (scope.deadlineAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = scope.deadlineAt;
    this.#timer = setTimeout(() => this.#expire(), ceil(scope.remainingMs));
  }

  /** No call is running, and no timer must keep the process alive. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
  }

  #expire(): void {
    const dueAt = this.#dueAt;
    this.#dueAt = Infinity;
    for (const scope of this.#running) {
      if (scope.deadlineAt <= dueAt) scope.expire();
      else this.watch(scope);
    }
  }
}
