import { ROUNDING, convert, fromMinor, toMinor } from "../lib/money.mjs";
import { RATES_AS_OF } from "../lib/rates.mjs";
import { AMOUNT, CURRENCY, DATE, TOTAL, objectOf } from "../lib/schemas.mjs";

/** @param {{ amount: string, from: string, to: string }} input */
export function convertCurrency({ amount, from, to }) {
  const source = toMinor(amount, from);
  const { minor, exact } = convert(source, from, to);
  return {
    from: { amount: fromMinor(source, from), currency: from },
    to: { amount: fromMinor(minor, to), currency: to },
    exact,
    rounding: ROUNDING,
    ratesAsOf: RATES_AS_OF,
  };
}

const CONVERTED = objectOf({ amount: TOTAL, currency: CURRENCY });

export default {
  id: "convert-currency",
  version: "1.0.0",
  description:
    "Converts an amount by the rates this pack ships, rounded half-up to the target's minor unit",
  mutating: false,
  input: objectOf({ amount: AMOUNT, from: CURRENCY, to: { ...CURRENCY, default: "EUR" } }, ["to"]),
  output: objectOf({
    from: CONVERTED,
    to: CONVERTED,
    exact: { type: "boolean" },
    rounding: { const: ROUNDING },
    ratesAsOf: DATE,
  }),
  handler: convertCurrency,
};
