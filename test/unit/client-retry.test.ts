import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPackClient } from "../../src/client.ts";
import type { PackClientOptions } from "../../src/client.ts";
import { readRetryAfterMs, retryDelayMs } from "../../src/client/retry.ts";
import { ctx, FakeClock, json, testHandler, token } from "./client-setup.ts";

const result = () => json({ v: 2, kind: "result", output: "done" });

function refusal(retryAfter?: string): Response {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return json({ error: "overloaded" }, { status: 503, headers });
}

/** A client of a service that answers in turn, on a clock that moves only by what the client waits. */
function waitingClient(answers: (() => Response)[], options: Partial<PackClientOptions> = {}) {
  const clock = new FakeClock();
  const sentTimeouts: number[] = [];
  const waits: number[] = [];
  const client = createPackClient({
    url: "http://pack",
    token,
    clock,
    random: () => 0.5,
    async fetch(request) {
      sentTimeouts.push(Number(request.headers.get("kindgi-timeout-ms")));
      return (answers.shift() ?? result)();
    },
    onRetry(_error, delayMs) {
      waits.push(delayMs);
      queueMicrotask(() => clock.advance(delayMs));
    },
    ...options,
  });
  return { client, clock, sentTimeouts, waits };
}

describe("a 503 is retried (§1)", () => {
  test("after Retry-After, with the time that is left", async () => {
    const { client, clock, sentTimeouts, waits } = waitingClient([
      () => refusal("1"),
      () => refusal("2"),
    ]);
    const outcome = await client.invoke("echo", 1, { ctx, timeoutMs: 10_000 });
    expect(outcome).toMatchObject({ ok: true, output: "done" });
    expect(waits).toEqual([1_000, 2_000]);
    expect(sentTimeouts).toEqual([10_000, 9_000, 7_000]);
    expect(clock.pending).toBe(0);
  });

  test("with growing waits where the service names none, or no wait", async () => {
    const answers = [undefined, "0", "soon", undefined, undefined, undefined, undefined];
    const { client, waits } = waitingClient(answers.map((given) => () => refusal(given)));
    await client.check("limit", { trace: {} }).catch(() => {});
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000].map((ms) => ms * 0.75));
  });

  test("until the deadline leaves no time for the wait, then it is the error", async () => {
    const answers = Array.from({ length: 9 }, () => () => refusal("1"));
    const { client, clock, sentTimeouts } = waitingClient(answers);
    const failure = client.invoke("echo", 1, { ctx, timeoutMs: 2_000 });
    await expect(failure).rejects.toMatchObject({
      code: "unavailable",
      retryable: true,
      retryAfterMs: 1_000,
    });
    expect(sentTimeouts).toEqual([2_000, 1_000]);
    expect(clock.now()).toBe(1_000);
  });

  test("not when the wait took longer than it should", async () => {
    const { client, clock, sentTimeouts } = waitingClient([() => refusal("1")], {
      onRetry: () => queueMicrotask(() => clock.advance(2_000)),
    });
    const failure = client.invoke("echo", 1, { ctx, timeoutMs: 2_000 });
    await expect(failure).rejects.toMatchObject({ code: "unavailable" });
    expect(sentTimeouts).toEqual([2_000]);
  });

  test("by a real service that has become ready", async () => {
    const slow = testHandler({ maxConcurrency: 1 });
    const controller = new AbortController();
    const { client, clock } = waitingClient([], {
      fetch: (request) => slow(request),
      onRetry(_error, delayMs) {
        controller.abort();
        queueMicrotask(() => clock.advance(delayMs));
      },
    });
    const first = client.invoke("wait", null, { ctx, signal: controller.signal });
    const second = client.invoke("echo", 7, { ctx });
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    expect(await second).toMatchObject({ ok: true, output: 7 });
  });

  test("for every series of refusals, within the deadline and never with more time than is left", async () => {
    const retryAfter = fc.option(fc.integer({ min: 0, max: 20 }).map(String), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.array(retryAfter, { maxLength: 30 }),
        fc.integer({ min: 1, max: 60_000 }),
        async (series, timeoutMs) => {
          const service = waitingClient(series.map((given) => () => refusal(given)));
          const ended = await service.client.invoke("echo", 1, { ctx, timeoutMs }).then(
            ({ ok }) => ok,
            (error) => error.code,
          );
          expect([true, "unavailable"]).toContain(ended);
          expect(service.clock.now()).toBeLessThan(timeoutMs);
          expect(service.clock.pending).toBe(0);
          let timeLeftMs = timeoutMs;
          const timesLeft = [0, ...service.waits].map((ms) => Math.ceil((timeLeftMs -= ms)));
          expect(service.sentTimeouts).toEqual(timesLeft);
        },
      ),
    );
  });
});

const silent = (clock: FakeClock, requests: Request[]) =>
  createPackClient({
    url: "http://pack",
    clock,
    fetch: (request) => {
      requests.push(request);
      return new Promise(() => {});
    },
  });

describe("a service that says nothing", () => {
  test("is given up soon after the deadline, as deadline-exceeded", async () => {
    const clock = new FakeClock();
    const requests: Request[] = [];
    const client = silent(clock, requests);
    const tool = client.invoke("echo", 1, { ctx, timeoutMs: 5_000 });
    const check = client.check("limit", { trace: {}, timeoutMs: 5_000 });
    clock.advance(6_999);
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    clock.advance(1);
    const outcome = { ok: false, code: "deadline-exceeded", durationMs: undefined };
    expect(await tool).toMatchObject({ ...outcome, toolId: "echo", artifactVersion: undefined });
    expect(await check).toMatchObject({ ...outcome, checkId: "limit" });
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(clock.pending).toBe(0);
  });

  test("is waited for as long as a timer can, no longer", async () => {
    const clock = new FakeClock();
    const call = silent(clock, []).invoke("echo", 1, { ctx, timeoutMs: 2_147_483_647 });
    clock.advance(2_147_483_647);
    expect(await call).toMatchObject({ code: "deadline-exceeded" });
  });

  test("is given up also when it stops in the middle of its answer", async () => {
    const clock = new FakeClock();
    let read!: () => void;
    const reading = new Promise<void>((resolve) => (read = resolve));
    const body = new ReadableStream(
      { pull: () => (read(), new Promise(() => {})) },
      { highWaterMark: 0 },
    );
    const fetch = async () => new Response(body);
    const client = createPackClient({ url: "http://pack", clock, fetch });
    const call = client.invoke("echo", 1, { ctx, timeoutMs: 1 });
    await reading;
    clock.advance(2_001);
    expect(await call).toMatchObject({ code: "deadline-exceeded" });
  });
});

describe("readRetryAfterMs", () => {
  const now = Date.UTC(2026, 11, 1);

  test.each([
    [null, undefined],
    ["", undefined],
    ["soon", undefined],
    ["0", 0],
    ["120", 120_000],
    ["Tue, 01 Dec 2026 00:00:03 GMT", 3_000],
    ["Mon, 30 Nov 2026 00:00:00 GMT", 0],
  ])("reads %j as %j ms", (header, expected) => {
    expect(readRetryAfterMs(header, now)).toBe(expected);
  });
});

test("a wait of the client's own grows to 5 s, at most half of it left out", () => {
  fc.assert(
    fc.property(
      fc.nat(2_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (refusals, random) => {
        const most = Math.min(5_000, 250 * 2 ** refusals);
        const delayMs = retryDelayMs(undefined, refusals, random);
        expect(delayMs).toBeGreaterThanOrEqual(most / 2);
        expect(delayMs).toBeLessThanOrEqual(most);
      },
    ),
  );
});
