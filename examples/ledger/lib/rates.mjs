/** The day the rates below are of. They are samples, not for accounting. */
export const RATES_AS_OF = "2026-11-30";

/**
 * @typedef {object} Currency
 * @property {number} digits decimals of its minor unit
 * @property {string} perEuro units of it that one euro buys, up to {@link RATE_DIGITS} decimals
 */

/** Decimals that a rate may have. */
export const RATE_DIGITS = 6;

/** @type {ReadonlyMap<string, Currency>} */
export const CURRENCIES = new Map([
  ["CHF", { digits: 2, perEuro: "0.9342" }],
  ["EUR", { digits: 2, perEuro: "1" }],
  ["GBP", { digits: 2, perEuro: "0.8765" }],
  ["JPY", { digits: 0, perEuro: "179.85" }],
  ["KWD", { digits: 3, perEuro: "0.354671" }],
  ["SEK", { digits: 2, perEuro: "11.024" }],
  ["USD", { digits: 2, perEuro: "1.1604" }],
]);
