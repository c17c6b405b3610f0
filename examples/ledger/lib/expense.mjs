import { fromMinor } from "./money.mjs";

/**
 * An expense as the ledger keeps it. `minor` is in the currency's minor unit.
 *
 * @typedef {object} Expense
 * @property {string} id unique within its tenant
 * @property {string} vendor
 * @property {number} minor
 * @property {string} currency
 * @property {string} date `YYYY-MM-DD`
 * @property {string | undefined} [note]
 */

/** Matches every expense id in a text. */
export const EXPENSE_IDS = /\bexp-\d{6,9}\b/g;

/** @param {number} number */
export function expenseId(number) {
  return `exp-${String(number).padStart(6, "0")}`;
}

/**
 * The number within an id; ids sort by it, in the order of recording.
 *
 * @param {string} id
 */
export function expenseNumber(id) {
  return Number(id.slice("exp-".length));
}

/**
 * An expense as tools return it, the amount as decimal text.
 *
 * @param {Expense} expense
 */
export function presentExpense({ id, vendor, minor, currency, date, note }) {
  const amount = fromMinor(BigInt(minor), currency);
  return { id, vendor, amount, currency, date, ...(note === undefined ? {} : { note }) };
}

/**
 * What two spellings of one vendor have in common.
 *
 * @param {string} vendor
 */
export function vendorKey(vendor) {
  return vendor.trim().toLowerCase();
}

/** @param {Expense} expense */
export function monthOf(expense) {
  return expense.date.slice(0, "YYYY-MM".length);
}

/**
 * @template {Expense} E
 * @param {readonly E[]} expenses
 * @param {{ vendor?: string | undefined, month?: string | undefined }} filter absent members match everything
 * @returns {E[]}
 */
export function selectExpenses(expenses, { vendor, month }) {
  const key = vendor === undefined ? undefined : vendorKey(vendor);
  return expenses.filter(
    (expense) =>
      (key === undefined || vendorKey(expense.vendor) === key) &&
      (month === undefined || monthOf(expense) === month),
  );
}
