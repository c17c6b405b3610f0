import type { CallScope } from "./call-scope.ts";
import { ceil, clearTimeout, max, setTimeout } from "./captured.ts";

/** Ends calls at their deadlines. */
export interface Deadlines {
  /** A call has started. */
  watch(scope: CallScope): void;
  /** A call is over and no longer among those that run: no timer must keep the process alive for it. */
  forget(scope: CallScope): void;
}

/** A timer that can let the process end, as those of Node, Bun and Deno. */
type HeldTimer = ReturnType<typeof setTimeout> & { ref?: () => void; unref?: () => void };

/**
 * One timer for all calls, set to the first of their deadlines. Most calls are over long before, so a timer for each
 * would be set for nothing. Where it can, it stays set from one call to the next: setting one costs Deno a tenth of a
 * call.
 */
export class SharedTimer implements Deadlines {
  readonly #running: ReadonlySet<CallScope>;
  #timer: HeldTimer | undefined;
  #dueAt = Infinity;

  /** @param running the calls whose deadlines count when the timer goes off */
  constructor(running: ReadonlySet<CallScope>) {
    this.#running = running;
  }

  watch(scope: CallScope): void {
    if (scope.deadlineAt < this.#dueAt) this.#set(scope);
    else if (this.#running.size === 1) this.#timer?.ref?.();
  }

  forget(): void {
    if (this.#running.size > 0) return;
    if (this.#timer?.unref) return void this.#timer.unref();
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
  }

  #set(scope: CallScope): void {
    clearTimeout(this.#timer);
    this.#dueAt = scope.deadlineAt;
    this.#timer = setTimeout(() => this.#expire(), delayOf(scope)) as HeldTimer;
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

/** A timer for each call: where a timer ends with the request that set it, as in a Cloudflare Worker. */
export class OwnTimers implements Deadlines {
  readonly #timers = new Map<CallScope, ReturnType<typeof setTimeout>>();

  watch(scope: CallScope): void {
    this.#timers.set(
      scope,
      setTimeout(() => scope.expire(), delayOf(scope)),
    );
  }

  forget(scope: CallScope): void {
    clearTimeout(this.#timers.get(scope));
    this.#timers.delete(scope);
  }
}

/** A deadline that passed while the thread was blocked is due at once: of a negative delay, runtimes warn on stderr. */
function delayOf({ remainingMs }: CallScope): number {
  return max(0, ceil(remainingMs));
}
