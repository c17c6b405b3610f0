import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { multipleTest } from "../../src/schema/multiple-of.ts";
import { type Compiled, createSchemaCompiler } from "../../src/validation.ts";

const compile = (schema: unknown) => createSchemaCompiler().compile(schema) as Compiled;

/** Whether one number is a multiple of another by all their digits, zeros included. */
function isMultiple(value: number, divisor: number): boolean {
  const whole = (number: number): bigint => {
    const [mantissa = "", exponent = "0"] = String(number).split("e");
    const [digits = "", fraction = ""] = mantissa.split(".");
    return BigInt(digits + fraction) * 10n ** BigInt(Number(exponent) - fraction.length + 400);
  };
  return whole(value) % whole(divisor) === 0n;
}

const finite = { noNaN: true, noDefaultInfinity: true };
const divisors = fc.oneof(
  fc.constantFrom(1, 2, 3, 7, 10, 0.1, 0.01, 0.5, 0.25, 0.07, 1e-7, 1e-22, 1e-23, 1e22, 3e-300),
  fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  fc.double({ ...finite, min: 5e-324 }),
);
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 19.99, 1e300, 5e-324, 2 ** 53, 2 ** 53 - 1, 1e21, 1e15, 999999999999999.9),
  fc.integer({ min: -(2 ** 53), max: 2 ** 53 }),
  fc.double(finite),
);

describe("§5 multipleOf", () => {
  test("goes by the decimal digits of both numbers", () => {
    fc.assert(
      fc.property(divisors, numbers, fc.integer({ min: -1e6, max: 1e6 }), (divisor, value, n) => {
        const test_ = multipleTest(divisor);
        for (const one of [value, n * divisor, Number((n * divisor).toPrecision(15))]) {
          if (Number.isFinite(one))
            expect([one, test_(one)]).toEqual([one, isMultiple(one, divisor)]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("§5 texts as long as a body can hold", () => {
  const room = 10_000_000;

  test.each(["byte", "pattern"])("base64 is judged by %s", (kind) => {
    const base64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";
    const { validate } = compile(kind === "byte" ? { format: "byte" } : { pattern: base64 });
    const text = "AAAA".repeat(room / 4);
    expect(validate(text).valid).toBe(true);
    expect(validate(`${text}A`).valid).toBe(false);
    expect(validate(`${text}AA==`).valid).toBe(true);
  });

  test.each(["uri", "uri-reference", "iri", "hostname", "email", "json-pointer", "uri-template"])(
    "format %s gives an issue of its own, or none",
    (format) => {
      const { validate } = compile({ format });
      for (const text of [
        `http://${"a.".repeat(room / 2)}`,
        "/a".repeat(room / 2),
        "é".repeat(room / 2),
      ]) {
        const verdict = validate(text);
        if (!verdict.valid) expect(verdict.issues[0]).toMatchObject({ keyword: "format" });
      }
    },
  );

  test.each(["date-time", "iso-date-time"])("format %s makes no list of their parts", (format) => {
    const { validate } = compile({ format });
    expect(validate("2026-12-01T10:00:00Z").valid).toBe(true);
    expect(validate(`2026-12-01T10:00:00.${"0".repeat(room)}Z`).valid).toBe(true);
    for (const unit of ["t", " ", "1"]) expect(validate(unit.repeat(room)).valid).toBe(false);
  });

  test("byte goes by lines", () => {
    const { validate } = compile({ format: "byte" });
    for (const text of ["", "AAAA", "AAAA\nAAA=", "\n", "!\nAAAA"])
      expect(validate(text).valid).toBe(true);
    for (const text of ["A", "!", "AAA", "AA==A"]) expect(validate(text).valid).toBe(false);
  });
});

test("§5 a duplicate is told by its first pair, without a look at the rest", () => {
  let looked = 0;
  const item = {
    get a() {
      looked++;
      return 1;
    },
  };
  const items = Array.from({ length: 1_000 }, () => item);
  const verdict = compile({ uniqueItems: true }).validate(items);
  expect(verdict).toMatchObject({ valid: false, issues: [{ params: { i: 1, j: 0 } }] });
  expect(looked).toBe(2);
});

test("§5 minLength and maxLength count characters, whatever a text is made of", () => {
  const unit = fc.constantFrom("a", "é", "😀", "\ud83d", "\ude00");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), fc.nat(14), (text, limit) => {
      const count = Array.from(text).length;
      expect(compile({ minLength: limit }).validate(text).valid).toBe(count >= limit);
      expect(compile({ maxLength: limit }).validate(text).valid).toBe(count <= limit);
    }),
  );
});
