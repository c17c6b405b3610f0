import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountProblem, convert, fromMinor, toMinor } from "../../examples/ledger/lib/money.mjs";
import { CURRENCIES } from "../../examples/ledger/lib/rates.mjs";
import { convertCurrency } from "../../examples/ledger/tools/convert-currency.mjs";

const currency = fc.constantFrom(...CURRENCIES.keys());
const minor = fc.bigInt(0n, 999_999_999n);

describe("amounts", () => {
  test("are exact in minor units", () => {
    expect(toMinor("19.99", "EUR")).toBe(1999n);
    expect(toMinor("1.1", "EUR")).toBe(110n);
    expect(toMinor("7", "JPY")).toBe(7n);
    expect(toMinor("0.001", "KWD")).toBe(1n);
    expect(fromMinor(5n, "EUR")).toBe("0.05");
    expect(fromMinor(5n, "JPY")).toBe("5");
    expect(fromMinor(123_456n, "KWD")).toBe("123.456");
  });

  test("come back as they went, for every amount and currency", () => {
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        expect(toMinor(fromMinor(amount, code), code)).toBe(amount);
      }),
    );
  });

  test.each([
    ["0.5", "JPY", "must have at most 0 decimals in JPY"],
    ["1.234", "USD", "must have at most 2 decimals in USD"],
    ["1e3", "EUR", 'must be a decimal text such as "19.99"'],
    ["-1", "EUR", 'must be a decimal text such as "19.99"'],
    ["", "EUR", 'must be a decimal text such as "19.99"'],
    ["1", "XXX", "must be in one of CHF, EUR, GBP, JPY, KWD, SEK, USD"],
  ])("%j %s is refused", (amount, code, problem) => {
    expect(amountProblem(amount, code)).toBe(problem);
    expect(() => toMinor(amount, code)).toThrow(RangeError);
  });
});

describe("conversion", () => {
  test("rounds to the nearer minor unit, a tie upwards", () => {
    expect(inYen("0.01")).toBe("2"); // 1.7985
    expect(inYen("0.03")).toBe("5"); // 5.3955
    expect(inYen("10")).toBe("1799"); // 1798.5
  });

  test("tells whether it rounded", () => {
    expect(convertCurrency({ amount: "100", from: "EUR", to: "USD" })).toEqual({
      from: { amount: "100.00", currency: "EUR" },
      to: { amount: "116.04", currency: "USD" },
      exact: true,
      rounding: "half-up",
      ratesAsOf: "2026-11-30",
    });
    expect(convertCurrency({ amount: "10", from: "EUR", to: "JPY" }).exact).toBe(false);
  });

  test("to the same currency changes nothing", () => {
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        expect(convert(amount, code, code)).toEqual({ minor: amount, exact: true });
      }),
    );
  });

  test("is never off by more than half a minor unit", () => {
    fc.assert(
      fc.property(minor, currency, currency, (amount, from, to) => {
        const source = amount * millionths(to) * 10n ** digits(to);
        const unit = millionths(from) * 10n ** digits(from);
        const error = 2n * (convert(amount, from, to).minor * unit - source);
        expect(error > -unit && error <= unit).toBe(true);
      }),
    );
  });
});

function inYen(amount: string): string {
  return convertCurrency({ amount, from: "EUR", to: "JPY" }).to.amount;
}

function millionths(code: string): bigint {
  return BigInt(Math.round(Number(CURRENCIES.get(code)?.perEuro) * 1e6));
}

function digits(code: string): bigint {
  return BigInt(CURRENCIES.get(code)?.digits ?? Number.NaN);
}
