import { describe, expect, test, vi } from "vitest";
import { CallScope } from "../../src/call-scope.ts";
import { OwnTimers, SharedTimer } from "../../src/deadlines.ts";

const never = new Promise<never>(() => {});

type Kind = "shared" | "own";

function deadlines(kind: Kind) {
  const running = new Set<CallScope>();
  const watched = kind === "shared" ? new SharedTimer(running) : new OwnTimers();
  const start = (timeoutMs: number) => {
    const now = () => performance.now();
    const scope = new CallScope({ now, startedAt: now(), timeoutMs });
    running.add(scope);
    watched.watch(scope);
    return scope;
  };
  const end = (scope: CallScope) => {
    scope.close();
    running.delete(scope);
    watched.forget(scope);
  };
  return { start, end };
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

describe.each<Kind>(["shared", "own"])(
  "deadlines of calls that run side by side, timer %s (§6)",
  (kind) => {
    test("each comes in its turn, in whatever order they were set", async () => {
      const { start, end } = deadlines(kind);
      const over: number[] = [];
      const run = async (timeoutMs: number) => {
        const scope = start(timeoutMs);
        expect(await scope.race(never)).toMatchObject({ code: "deadline-exceeded" });
        over.push(timeoutMs);
        end(scope);
      };
      await Promise.all([90, 10, 170, 50, 130].map(run));
      expect(over).toEqual([10, 50, 90, 130, 170]);
    });

    test("that of a call which is over keeps none of the others from theirs", async () => {
      const { start, end } = deadlines(kind);
      const first = start(5);
      const second = start(20);
      end(first);
      expect(await second.race(never)).toMatchObject({ code: "deadline-exceeded" });
      expect(first.interruption).toBeUndefined();
      end(second);
    });

    test("need one timer or one each, and none when no call runs", () => {
      const { start, end } = deadlines(kind);
      const before = timers();
      const scopes = [60_000, 50_000, 70_000].map((timeoutMs) => start(timeoutMs));
      expect(timers()).toBe(before + (kind === "shared" ? 1 : scopes.length));
      for (const scope of scopes) end(scope);
      expect(timers()).toBe(before);
    });
  },
);

test.each(["SharedTimer", "OwnTimers"] as const)(
  "%s sets no timer to a time that has passed, of which runtimes warn on stderr (§8)",
  async (name) => {
    const delays: unknown[] = [];
    vi.resetModules();
    vi.stubGlobal("setTimeout", (_: unknown, delayMs: unknown) => delays.push(delayMs));
    const module = await import("../../src/deadlines.ts");
    vi.unstubAllGlobals();
    const scope = new CallScope({ now: () => 100, startedAt: 0, timeoutMs: 50 });
    new module[name](new Set([scope])).watch(scope);
    expect(delays).toEqual([0]);
  },
);
