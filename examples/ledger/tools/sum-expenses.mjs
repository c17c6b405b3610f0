import { monthOf, selectExpenses, vendorKey } from "../lib/expense.mjs";
import { readExpenses } from "../lib/ledger.mjs";
import { fromMinor } from "../lib/money.mjs";
import { totalsBy } from "../lib/totals.mjs";

/** @import { CallContext } from "../lib/context.mjs" */
/** @import { Expense } from "../lib/expense.mjs" */

/**
 * One sum per month, vendor and currency, in that order. Amounts of different currencies are never added.
 *
 * @param {{ vendor?: string, month?: string }} filter
 * @param {CallContext} ctx
 */
export default async function sumExpenses(filter, ctx) {
  const expenses = selectExpenses(await readExpenses(ctx.tenantId), filter);
  const totals = totalsBy(expenses, groupKey, ({ minor }) => BigInt(minor));
  totals.sort((a, b) => (groupKey(a.first) < groupKey(b.first) ? -1 : 1));
  return {
    sums: totals.map(({ first, minor, count }) => ({
      month: monthOf(first),
      vendor: first.vendor,
      currency: first.currency,
      total: fromMinor(minor, first.currency),
      count,
    })),
  };
}

/** @param {Expense} expense */
function groupKey(expense) {
  return JSON.stringify([monthOf(expense), vendorKey(expense.vendor), expense.currency]);
}
