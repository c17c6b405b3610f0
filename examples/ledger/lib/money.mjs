import { CURRENCIES, RATE_DIGITS } from "./rates.mjs";

/** How a converted amount that lies between two minor units is rounded: to the nearer, a tie upwards. */
export const ROUNDING = "half-up";

/** A decimal amount as text: a JSON number could not hold every amount exactly. */
export const AMOUNT_PATTERN = "^\\d{1,9}(\\.\\d{1,3})?$";

const AMOUNT = new RegExp(AMOUNT_PATTERN);

/**
 * Tells why a text is no amount in a currency, or `undefined` when it is one.
 *
 * @param {string} amount
 * @param {string} currency
 * @returns {string | undefined}
 */
export function amountProblem(amount, currency) {
  const known = CURRENCIES.get(currency);
  if (!known) return `must be in one of ${[...CURRENCIES.keys()].join(", ")}`;
  if (!AMOUNT.test(amount)) return 'must be a decimal text such as "19.99"';
  const decimals = amount.split(".")[1]?.length ?? 0;
  return decimals > known.digits
    ? `must have at most ${known.digits} decimals in ${currency}`
    : undefined;
}

/**
 * An amount in the currency's minor unit (cents of euros). Throws a RangeError where
 * {@link amountProblem} finds something wrong.
 *
 * @param {string} amount
 * @param {string} currency
 * @returns {bigint}
 */
export function toMinor(amount, currency) {
  const problem = amountProblem(amount, currency);
  if (problem) throw new RangeError(`The amount ${JSON.stringify(amount)} ${problem}`);
  return scaled(amount, currencyOf(currency).digits);
}

/**
 * The decimal text of an amount in minor units, with all of the currency's decimals.
 *
 * @param {bigint} minor 0 or more
 * @param {string} currency
 * @returns {string}
 */
export function fromMinor(minor, currency) {
  const { digits } = currencyOf(currency);
  const text = minor.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * Converts by the rates this pack ships, rounded once, {@link ROUNDING}.
 *
 * @param {bigint} minor 0 or more
 * @param {string} from
 * @param {string} to
 * @returns {{ minor: bigint, exact: boolean }} `exact` tells that nothing was rounded
 */
export function convert(minor, from, to) {
  const source = currencyOf(from);
  const target = currencyOf(to);
  const numerator = minor * scaled(target.perEuro, RATE_DIGITS) * power(target.digits);
  const denominator = scaled(source.perEuro, RATE_DIGITS) * power(source.digits);
  return {
    minor: (2n * numerator + denominator) / (2n * denominator),
    exact: numerator % denominator === 0n,
  };
}

/** @param {string} code */
function currencyOf(code) {
  const currency = CURRENCIES.get(code);
  if (!currency) throw new RangeError(`No rate for ${JSON.stringify(code)}`);
  return currency;
}

/**
 * @param {string} decimal
 * @param {number} digits
 */
function scaled(decimal, digits) {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(digits, "0"));
}

/** @param {number} digits */
function power(digits) {
  return 10n ** BigInt(digits);
}
