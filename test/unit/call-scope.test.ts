import { describe, expect, test } from "vitest";
import { CallScope } from "../../src/call-scope.ts";
import { Failure } from "../../src/failure.ts";

function scopeOf(timeoutMs = 60_000, now = () => 0) {
  return new CallScope({ now, startedAt: 0, timeoutMs });
}

const never = new Promise<never>(() => {});

describe("CallScope (§6)", () => {
  test("lets work through, and its rejection", async () => {
    const scope = scopeOf();
    expect(await scope.race(Promise.resolve(1))).toBe(1);
    await expect(scope.race(Promise.reject(new Error("own")))).rejects.toThrow("own");
    scope.close();
  });

  test("ends work at the deadline, with a TimeoutError for its signal", async () => {
    const scope = scopeOf();
    const { signal } = scope;
    const raced = scope.race(never);
    scope.expire();
    expect(await raced).toMatchObject({ code: "deadline-exceeded" });
    expect(signal.reason).toBeInstanceOf(DOMException);
    expect(signal.reason.name).toBe("TimeoutError");
  });

  test("ends work on cancellation, with an AbortError for its signal", async () => {
    const scope = scopeOf();
    const { signal } = scope;
    const raced = scope.race(never);
    scope.cancel("gone");
    expect(await raced).toMatchObject({ code: "cancelled", message: "gone" });
    expect(signal.reason.name).toBe("AbortError");
    scope.close();
  });

  test("is interrupted once: the first reason stays", async () => {
    const scope = scopeOf();
    scope.cancel("first");
    scope.cancel("second");
    expect(scope.interruption?.message).toBe("first");
    expect(await scope.race(Promise.resolve(1))).toBeInstanceOf(Failure);
    expect(scope.signal.reason.message).toBe("first");
    scope.close();
  });

  test("counts a deadline that passed while the thread was blocked", async () => {
    let time = 0;
    const scope = scopeOf(1_000, () => time);
    const work = (async () => {
      time = 1_000;
      return "late";
    })();
    expect(await scope.race(work)).toMatchObject({ code: "deadline-exceeded" });
    expect(scope.signal.aborted).toBe(true);
    scope.close();
  });

  test("after its end aborts nothing, though pack code may keep its signal", () => {
    const scope = scopeOf();
    const { signal } = scope;
    scope.close();
    scope.cancel("too late");
    expect(signal.aborted).toBe(false);
    expect(scope.signal).toBe(signal);
  });

  test("handles the rejection of work that was interrupted", async () => {
    const scope = scopeOf();
    let fail!: (reason: Error) => void;
    const work = new Promise<never>((_, reject) => (fail = reject));
    const raced = scope.race(work);
    scope.cancel("gone");
    await raced;
    fail(new Error("late"));
    await scope.race(Promise.reject(new Error("later")));
    scope.close();
  });
});
