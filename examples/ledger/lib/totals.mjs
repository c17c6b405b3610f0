/** @import { Expense } from "./expense.mjs" */

/**
 * Adds expenses up by a key, in the order in which the keys first come. The vendor as `first` spells it stands for
 * its whole group.
 *
 * @param {readonly Expense[]} expenses
 * @param {(expense: Expense) => string} keyOf
 * @param {(expense: Expense) => bigint} minorOf
 * @returns {{ first: Expense, minor: bigint, count: number }[]}
 */
export function totalsBy(expenses, keyOf, minorOf) {
  const totals = new Map();
  for (const expense of expenses) {
    const key = keyOf(expense);
    const { first, minor, count } = totals.get(key) ?? { first: expense, minor: 0n, count: 0 };
    totals.set(key, { first, minor: minor + minorOf(expense), count: count + 1 });
  }
  return [...totals.values()];
}
