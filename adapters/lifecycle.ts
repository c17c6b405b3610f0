import type { PackHandler } from "../src/handler.ts";

/** What a pack handler has beside being a function. */
export type Lifecycle = Pick<PackHandler, "ready" | "state" | "inFlight" | "drain">;

/** Gives a function that leads to a handler what the handler has. */
export function withLifecycle<F extends object>(fn: F, handler: PackHandler): F & Lifecycle {
  return Object.defineProperties(fn, {
    ready: { value: handler.ready },
    state: { get: () => handler.state },
    inFlight: { get: () => handler.inFlight },
    drain: { value: handler.drain },
  }) as F & Lifecycle;
}
