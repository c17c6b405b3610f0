import type { Clock } from "../../src/client.ts";
import { createPackHandler } from "../../src/index.ts";
import type { PackHandlerOptions } from "../../src/index.ts";

export const token = "test-token";
export const ctx = { tenantId: "t1", runId: "r1" };
export const artifactVersion = "20261201.1";

const sum = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } };

const index = {
  v: 1,
  packId: "p",
  packVersion: "1.0.0",
  artifactVersion,
  tools: [
    { id: "echo", input: {}, output: {}, modulePath: "echo.mjs" },
    { id: "sum", version: "1", input: sum, output: { type: "number" }, modulePath: "sum.mjs" },
    { id: "sum", version: "2", input: sum, output: { type: "number" }, modulePath: "sum.mjs" },
    { id: "throw", input: {}, output: {}, modulePath: "throw.mjs" },
    { id: "wait", input: {}, output: {}, modulePath: "wait.mjs" },
    { id: "context", input: {}, output: {}, modulePath: "context.mjs" },
  ],
  guardrails: [
    {
      id: "g",
      checkId: "limit",
      kind: "custom",
      action: "block",
      checkModulePath: "limit.mjs",
      configSchema: { type: "object", properties: { maximum: { type: "number" } } },
    },
  ],
};

/** A handler over a pack whose `wait` ends only when its call does. */
export function testHandler(options: PackHandlerOptions = {}) {
  const modules = {
    "echo.mjs": { handler: (input: unknown) => input },
    "sum.mjs": { handler: ({ a, b }: { a: number; b: number }) => a + b },
    "throw.mjs": {
      handler() {
        throw new RangeError("too far");
      },
    },
    "wait.mjs": {
      handler: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
        }),
    },
    "context.mjs": {
      handler: (_: unknown, context: object) => ({ ...context, abortSignal: null }),
    },
    "limit.mjs": {
      evaluate: ({ maximum = 10 }: { maximum?: number }, { spent }: { spent: number }) => ({
        passed: spent <= maximum,
      }),
    },
  };
  return createPackHandler(index, modules, { token, ...options });
}

/** A clock that stands still until it is told to move on. */
export class FakeClock implements Clock {
  #now = 0;
  #timers = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.#now;
  }

  startTimer(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  get pending(): number {
    return this.#timers.size;
  }

  advance(byMs: number): void {
    this.#now += byMs;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}

export function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), init);
}
