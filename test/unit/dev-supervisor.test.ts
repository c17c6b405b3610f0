import { describe, expect, test } from "vitest";
import { Backoff } from "../../adapters/dev/backoff.ts";
import type { Boot, ChildExit } from "../../adapters/dev/service-child.ts";
import { Supervisor } from "../../adapters/dev/supervisor.ts";
import type { Upstream } from "../../adapters/dev/upstream.ts";

/** Time that passes when a test says so. */
class ManualClock {
  #now = 0;
  #timers = new Set<{ at: number; callback: () => void }>();

  now = () => this.#now;

  startTimer = (delayMs: number, callback: () => void) => {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  async pass(ms: number) {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.callback();
    }
    await settle();
  }
}

/** Lets every promise that can settle do so. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class FakeChild {
  readonly booted: Promise<Boot>;
  readonly exited: Promise<ChildExit>;
  boot: (boot: Boot) => void = () => {};
  exit: (exit: ChildExit) => void = () => {};
  isStopped = false;

  constructor() {
    this.booted = new Promise((resolve) => (this.boot = resolve));
    this.exited = new Promise((resolve) => (this.exit = resolve));
  }

  async stop() {
    this.isStopped = true;
    this.exit({ code: 0, signal: null });
    await this.exited;
  }

  kill() {
    this.exit({ code: null, signal: "SIGKILL" });
  }
}

function supervise() {
  const children: FakeChild[] = [];
  const events: unknown[] = [];
  const clock = new ManualClock();
  const front: { upstream: Upstream | undefined } = { upstream: undefined };
  let made: object = { index: "/pack/index.json", moduleRoot: "/pack" };
  const supervisor = new Supervisor({
    makeIndex: async () => made as never,
    async startChild() {
      const child = new FakeChild();
      children.push(child);
      return child;
    },
    front,
    report: {
      loading: () => void events.push("loading"),
      serving: ({ bootMs }) => void events.push(["serving", bootMs]),
      failed: (problems, isServing) => void events.push(["failed", ...problems, isServing]),
      restless: (paths) => void events.push(["restless", ...paths]),
      ended: ({ code }, restartMs) => void events.push(["ended", code, restartMs]),
    },
    clock,
  });
  return {
    supervisor,
    clock,
    front,
    events,
    child: (n: number) => children[n] as FakeChild,
    started: () => children.length,
    madeIs: (result: object) => (made = result),
    async change(...paths: string[]) {
      supervisor.changed(paths);
      await settle();
    },
    async serve(n: number, port: number) {
      children[n]?.boot({ port, listening: {} });
      await settle();
    },
  };
}

describe("the supervisor", () => {
  test("lets a service take over when it listens, not before", async () => {
    const { change, serve, front, child } = supervise();
    await change();
    expect(front.upstream).toBeUndefined();
    await serve(0, 1001);
    await change();
    expect(front.upstream?.port).toBe(1001);
    await serve(1, 1002);
    expect(front.upstream?.port).toBe(1002);
    expect([child(0).isStopped, child(1).isStopped]).toEqual([true, false]);
  });

  test("ends the old service after its last request", async () => {
    const { change, serve, front, child } = supervise();
    await change();
    await serve(0, 1001);
    const leave = [front.upstream?.enter(), front.upstream?.enter()];
    await change();
    await serve(1, 1002);
    leave[0]?.();
    leave[0]?.();
    await settle();
    expect(child(0).isStopped).toBe(false);
    leave[1]?.();
    await settle();
    expect(child(0).isStopped).toBe(true);
  });

  test("starts over with a change that comes during a boot", async () => {
    const { change, serve, front, child, events } = supervise();
    await change();
    await change();
    expect(child(0).isStopped).toBe(true);
    await serve(0, 1001);
    expect(front.upstream).toBeUndefined();
    await serve(1, 1002);
    expect(front.upstream?.port).toBe(1002);
    expect(events).toEqual(["loading", "loading", ["serving", 0]]);
  });

  test("lets a reload finish when changes don't stop, names them once, and catches up", async () => {
    const { change, serve, front, child, started, events } = supervise();
    await change();
    for (const path of ["a.json", "b.json", "a.json"]) await change(path);
    expect(started()).toBe(4);
    for (const path of ["a.json", "c.json", "a.json"]) await change(path);
    expect([started(), child(2).isStopped, child(3).isStopped]).toEqual([4, true, false]);
    expect(events.filter((event) => event !== "loading")).toEqual([
      ["restless", "a.json", "b.json"],
      ["restless", "c.json"],
    ]);
    await serve(3, 1004);
    expect([front.upstream?.port, started()]).toEqual([1004, 5]);
    await serve(4, 1005);
    expect([front.upstream?.port, started()]).toEqual([1005, 5]);
  });

  test.each<[string, Boot]>([
    ["explained", { problems: ["no module"], isExplained: true }],
    ["unexplained", { problems: ["it ended"], isExplained: false }],
  ])("catches up with what changed during a boot that came to nothing, %s", async (_how, boot) => {
    const { change, child, started, clock } = supervise();
    for (let n = 0; n < 5; n++) await change("a.json");
    expect(started()).toBe(4);
    child(3).boot(boot);
    await settle();
    expect(started()).toBe(5);
    await clock.pass(60_000);
    expect(started()).toBe(5);
  });

  test("doesn't wait for ever for a boot that doesn't end", async () => {
    const { change, child, started, clock } = supervise();
    for (let n = 0; n < 5; n++) await change("a.json");
    await clock.pass(30_000);
    await change("a.json");
    expect([started(), child(3).isStopped]).toEqual([5, true]);
  });

  test("keeps what is served when the next index, or the next service, has problems", async () => {
    const { change, serve, front, madeIs, child, started, clock, events } = supervise();
    await change();
    await serve(0, 1001);
    madeIs({ problems: ["no tool"] });
    await change();
    expect(events.at(-1)).toEqual(["failed", "no tool", true]);
    madeIs({ index: "", moduleRoot: "" });
    await change();
    child(1).boot({ problems: ["no module"], isExplained: false });
    await settle();
    expect(events.at(-1)).toEqual(["failed", "no module", true]);
    await clock.pass(60_000);
    expect([started(), front.upstream?.port, child(0).isStopped]).toEqual([2, 1001, false]);
  });

  test("starts a service that ended again, later each time, and sooner once it has been up", async () => {
    const { change, serve, front, child, started, clock, events } = supervise();
    await change();
    for (const [n, restartMs] of [250, 500, 1_000].entries()) {
      await serve(n, 1001 + n);
      child(n).exit({ code: 1, signal: null });
      await settle();
      expect(front.upstream).toBeUndefined();
      expect(events.at(-1)).toEqual(["ended", 1, restartMs]);
      await clock.pass(restartMs - 1);
      expect(started()).toBe(n + 1);
      await clock.pass(1);
      expect(started()).toBe(n + 2);
    }
    await serve(3, 1004);
    await clock.pass(10_000);
    child(3).exit({ code: 1, signal: null });
    await settle();
    expect(events.at(-1)).toEqual(["ended", 1, 250]);
  });

  test("tries a first boot again that nobody explained, and waits for a change after one that was", async () => {
    const { change, child, started, clock } = supervise();
    await change();
    child(0).boot({ problems: ["it ended"], isExplained: false });
    await settle();
    await clock.pass(250);
    expect(started()).toBe(2);
    child(1).boot({ problems: ["no module"], isExplained: true });
    await settle();
    await clock.pass(60_000);
    expect(started()).toBe(2);
    await change();
    expect(started()).toBe(3);
  });

  test("lets a change that is loading take the place of a service that ends", async () => {
    const { change, serve, child, started, clock, events, front } = supervise();
    await change();
    await serve(0, 1001);
    await change();
    child(0).exit({ code: 1, signal: null });
    await settle();
    expect(events.at(-1)).toEqual(["ended", 1, undefined]);
    await clock.pass(60_000);
    expect(started()).toBe(2);
    await serve(1, 1002);
    expect(front.upstream?.port).toBe(1002);
  });

  test("stops every service, also one that boots, and starts none after", async () => {
    const { supervisor, change, serve, child, started, clock } = supervise();
    await change();
    await serve(0, 1001);
    await change();
    await supervisor.stop();
    expect([child(0).isStopped, child(1).isStopped]).toEqual([true, true]);
    await change();
    await clock.pass(60_000);
    expect(started()).toBe(2);
  });
});

test("a delay doubles up to 15 s", () => {
  const backoff = new Backoff();
  const delays = Array.from({ length: 8 }, () => backoff.delayMs(0));
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
});
