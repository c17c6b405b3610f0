import { ROUNDING, convert, fromMinor, toMinor } from "../lib/money.mjs";
import { RATES_AS_OF } from "../lib/rates.mjs";

/** @param {{ amount: string, from: string, to: string }} input */
export default function convertCurrency({ amount, from, to }) {
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
