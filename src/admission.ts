import { clearTimeout, min, setTimeout } from "./captured.ts";
import { DRAIN_GRACE_MS, MAX_TIMEOUT_MS } from "./protocol.ts";
import type { Refusal } from "./protocol.ts";
import type { CallScope } from "./call-scope.ts";
import { OwnTimers, SharedTimer } from "./deadlines.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Gate } from "./transport.ts";

/** Where a service is in its life. */
export type HandlerState = "loading" | "ready" | "failed" | "draining" | "drained";

export interface DrainOptions {
  /** How long calls in flight may go on before they are cancelled; more than 2147483647 counts as that. @default 8000 */
  graceMs?: number;
}

interface AdmissionOptions {
  maxConcurrency: number;
  /** Names that keep the service from being ready, under the strict check. */
  missingEnv: readonly string[];
  /** Whether a timer may end with the request that set it. @default false */
  hasTimersOfRequests?: boolean;
}

/** Whether a call may start, and which are running: readiness, slots, drain. */
export class Admission implements Gate {
  readonly #options: AdmissionOptions;
  readonly #running = new Set<CallScope>();
  readonly #deadlines: Deadlines;
  #state: HandlerState = "loading";
  #drain: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#deadlines = options.hasTimersOfRequests
      ? new OwnTimers()
      : new SharedTimer(this.#running);
  }

  get state(): HandlerState {
    return this.#state;
  }

  get inFlight(): number {
    return this.#running.size;
  }

  get isFull(): boolean {
    return this.#running.size >= this.#options.maxConcurrency;
  }

  get isClosing(): boolean {
    return this.#drain !== undefined;
  }

  refusal(): Refusal | undefined {
    if (this.isClosing) return { error: "draining" };
    const { missingEnv } = this.#options;
    if (missingEnv.length > 0) return { error: "missing env", missingEnv };
    return this.#state === "ready" ? undefined : { error: "not ready" };
  }

  /** Loading has ended. A service that is already draining goes on doing so. */
  settle(state: "ready" | "failed"): void {
    if (this.#state === "loading") this.#state = state;
  }

  enter(scope: CallScope): void {
    this.#running.add(scope);
    this.#deadlines.watch(scope);
  }

  leave(scope: CallScope): void {
    this.#running.delete(scope);
    this.#deadlines.forget(scope);
    if (this.#running.size === 0) this.#onIdle?.();
  }

  /** Refuses calls from now on. Resolves when none is running; after the grace period those left are cancelled. */
  drain({ graceMs = DRAIN_GRACE_MS }: DrainOptions = {}): Promise<void> {
    this.#drain ??= this.#runDrain(graceMs);
    return this.#drain;
  }

  async #runDrain(graceMs: number): Promise<void> {
    this.#state = "draining";
    if (this.#running.size > 0) {
      const cutOff = setTimeout(() => this.#cancelAll(), min(graceMs, MAX_TIMEOUT_MS));
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
      clearTimeout(cutOff);
    }
    this.#state = "drained";
  }

  #cancelAll(): void {
    for (const scope of this.#running) scope.cancel("the service is shutting down");
  }
}
