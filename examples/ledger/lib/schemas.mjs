import { AMOUNT_PATTERN } from "./money.mjs";
import { CURRENCIES } from "./rates.mjs";

/** Pieces of the tools' JSON Schemas. */

const MONTH_PATTERN = "^\\d{4}-(0[1-9]|1[0-2])$";

export const CURRENCY = { type: "string", enum: [...CURRENCIES.keys()] };

/** An amount as it comes in. */
export const AMOUNT = {
  type: "string",
  pattern: AMOUNT_PATTERN,
  description: 'Decimal text, such as "19.99"; no more decimals than the currency has',
};

/** An amount as it goes out. */
export const TOTAL = { type: "string", pattern: "^\\d+(\\.\\d{2,3})?$" };

export const EXPENSE_ID = { type: "string", pattern: "^exp-\\d{6,9}$" };

export const DATE = { type: "string", format: "date" };

export const MONTH = { type: "string", pattern: MONTH_PATTERN };

export const MONTH_FILTER = { ...MONTH, description: "YYYY-MM; every month when absent" };

export const VENDOR_FILTER = {
  type: "string",
  minLength: 1,
  maxLength: 120,
  description: "Whole name, in any case; every vendor when absent",
};

/**
 * The schema of an object that holds these members and no others.
 *
 * @param {Record<string, unknown>} properties
 * @param {string[]} [optional] every other one has to be there
 */
export function objectOf(properties, optional = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

export const EXPENSE = objectOf(
  {
    id: EXPENSE_ID,
    vendor: { type: "string" },
    amount: TOTAL,
    currency: CURRENCY,
    date: DATE,
    note: { type: "string" },
  },
  ["note"],
);
