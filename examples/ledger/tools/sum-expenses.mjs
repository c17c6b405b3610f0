import { monthOf, selectExpenses, vendorKey } from "../lib/expense.mjs";
import { readExpenses } from "../lib/ledger.mjs";
import { fromMinor } from "../lib/money.mjs";
import { totalsBy } from "../lib/totals.mjs";
import { CURRENCY, MONTH, MONTH_FILTER, TOTAL, VENDOR_FILTER, objectOf } from "../lib/schemas.mjs";

/** @import { CallContext } from "../lib/context.mjs" */
/** @import { Expense } from "../lib/expense.mjs" */

/**
 * One sum per month, vendor and currency, in that order. Amounts of different currencies are never added.
 *
 * @param {{ vendor?: string, month?: string }} filter
 * @param {CallContext} ctx
 */
export async function sumExpenses(filter, ctx) {
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

export default {
  id: "sum-expenses",
  version: "1.0.0",
  description: "Sums the tenant's expenses by month, vendor and currency",
  mutating: false,
  input: objectOf({ vendor: VENDOR_FILTER, month: MONTH_FILTER }, ["vendor", "month"]),
  output: objectOf({
    sums: {
      type: "array",
      items: objectOf({
        month: MONTH,
        vendor: { type: "string" },
        currency: CURRENCY,
        total: TOTAL,
        count: { type: "integer", minimum: 1 },
      }),
    },
  }),
  handler: sumExpenses,
};
