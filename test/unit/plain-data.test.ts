import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isExotic } from "../../adapters/is-exotic.ts";
import { isPlainData } from "../../src/plain-data.ts";

const isPlain = (value: unknown) => isPlainData(value, isExotic);
const ring: unknown[] = [];
ring.push({ ring });

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

/** Two to the depth, in as many objects as it is deep. */
function doubled(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value, value];
  return value;
}

describe("plain data", () => {
  test("is every value that JSON has", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => isPlain(JSON.parse(JSON.stringify(value)))));
  });

  test("is what its JSON text says", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        if (!isPlain(value)) return;
        // Text has no negative zero.
        expect(JSON.parse(JSON.stringify(value))).toEqual(withoutNegativeZero(value));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["a bigint", 1n],
    ["a symbol", Symbol("s")],
    ["a function", () => 1],
    ["NaN", Number.NaN],
    ["Infinity", -Infinity],
    ["a member of undefined", { a: undefined }],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["an object without a prototype", Object.create(null)],
    ["an object of a class", new (class Point {})()],
    ["an object with toJSON", { toJSON: 1 }],
    [
      "an accessor",
      {
        get a() {
          return 1;
        },
      },
    ],
    ["a setter", { set a(_: number) {} }],
    ["a hidden member", Object.defineProperty({}, "a", { value: 1 })],
    ["an array with toJSON", Object.assign([], { toJSON: 1 })],
    ["an array of a class", new (class List extends Array {})()],
    ["an array with a hole", Array(1)],
    ["a proxy", new Proxy({}, {})],
    ["a proxy of an array", new Proxy([], {})],
    ["a boxed number in disguise", Object.setPrototypeOf(new Number(1), Object.prototype)],
    ["a value that holds itself", ring],
    ["a value too deep to look through", nested(1_000_000)],
    ["a value that holds another too often", doubled(40)],
  ])("is not %s, nor what holds it", (_, value) => {
    expect([isPlain(value), isPlain([value]), isPlain({ a: { b: value } })]).toEqual(
      Array(3).fill(false),
    );
  });

  test("runs no code of a value's", () => {
    const ran: string[] = [];
    const note = (name: string) => {
      ran.push(name);
      return 1;
    };
    const traps = new Proxy({}, { get: (__, name) => () => note(`trap ${String(name)}`) });
    isPlain([new Proxy({}, traps)]);
    isPlain({
      get a() {
        return note("getter");
      },
    });
    isPlain({ toJSON: () => note("toJSON") });
    isPlain({ [Symbol.toPrimitive]: () => note("toPrimitive"), valueOf: () => note("valueOf") });
    expect(ran).toEqual([]);
  });

  test("is told from an accessor also where Object.prototype has what a descriptor has", () => {
    const accessors = [
      {
        get a() {
          return 1;
        },
      },
      { set a(_: number) {} },
    ];
    const polluted = Object.prototype as { value?: unknown };
    let arePlain: boolean[];
    polluted.value = 1;
    try {
      arePlain = accessors.map(isPlain);
    } finally {
      delete polluted.value;
    }
    expect(arePlain).toEqual([false, false]);
  });

  test("is nothing whose objects may all be exotic, but a value that is none", () => {
    const values = [{}, [], "text", 1, null];
    expect(values.map((value) => isPlainData(value, () => true))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test("is nothing that can't be told", () => {
    const fails = () => {
      throw new Error("no answer");
    };
    expect(isPlainData({}, fails)).toBe(false);
  });
});

function withoutNegativeZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutNegativeZero(member)]),
  );
}
