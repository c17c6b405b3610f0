import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeJson } from "../../src/json.ts";
import { thrownCause, thrownMessage } from "../../src/thrown.ts";

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const hostile = {
  get name() {
    throw new Error("no name");
  },
  toString() {
    throw new Error("no text");
  },
  toJSON() {
    throw new Error("no JSON");
  },
};

describe("thrownCause (§2)", () => {
  test("of an error object has its name, message and stack", () => {
    const error = new TypeError("broken");
    expect(thrownCause(error)).toEqual({
      name: "TypeError",
      message: "broken",
      stack: error.stack,
    });
    const aborted = new DOMException("gone", "AbortError");
    expect(thrownCause(aborted)).toMatchObject({ name: "AbortError", message: "gone" });
  });

  test("is the same for an error of another realm", () => {
    const foreign = runInNewContext("new RangeError('far')");
    expect(foreign instanceof Error).toBe(false);
    expect(thrownCause(foreign)).toMatchObject({ name: "RangeError", message: "far" });
  });

  test.each([
    [undefined, null],
    [null, null],
    ["text", "text"],
    [0, 0],
    [false, false],
    [
      { code: 7, deep: [1, { a: null }] },
      { code: 7, deep: [1, { a: null }] },
    ],
    [Number.NaN, "NaN"],
    [10n, "10"],
    [Symbol("s"), "Symbol(s)"],
    [new Map(), "[object Map]"],
  ])("of %s is %j", (thrown, cause) => {
    expect(thrownCause(thrown)).toEqual(cause);
  });

  test("is cut at 64 KiB", () => {
    const error = new Error("m".repeat(1e6));
    error.stack = "s".repeat(1e6);
    const cause = thrownCause(error) as { stack: string; message: string };
    expect(cause.stack).toHaveLength(65_536);
    expect(encodeJson(cause).length).toBeLessThan(140_000);
    expect(encodeJson(thrownCause({ big: "x".repeat(1e6) })).length).toBeLessThan(70_000);
  });

  test("of something nested deeply can be encoded", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 30_000; i++) deep = [deep];
    expect(typeof encodeJson(thrownCause(deep))).toBe("string");
    expect(typeof encodeJson(thrownCause({ a: deep }))).toBe("string");
  });

  test("of any value is JSON, and never throws", () => {
    // Made in the property: fast-check itself can't hold a revoked proxy.
    const odd = fc.constantFrom<() => unknown>(
      revoked,
      () => hostile,
      () => Object.defineProperties(new Error("x"), Object.getOwnPropertyDescriptors(hostile)),
      () => Object.create(null),
      () => () => 1,
      () =>
        new Proxy(new Error("proxied"), {
          get() {
            throw new Error("trap");
          },
        }),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything().map((value) => () => value),
          odd,
        ),
        (make) => {
          const thrown = make();
          const text = encodeJson(thrownCause(thrown));
          expect(encodeJson(JSON.parse(text))).toBe(text);
          expect(typeof thrownMessage(thrown)).toBe("string");
        },
      ),
    );
  });
});

test("thrownMessage is the error's own words, else its name, else the value", () => {
  expect(thrownMessage(new Error("own words"))).toBe("own words");
  expect(thrownMessage(new RangeError())).toBe("RangeError");
  expect(thrownMessage("plain")).toBe("plain");
  expect(thrownMessage(new Error("x".repeat(1e6))).length).toBeLessThan(10_000);
});
