import { expenseNumber, presentExpense, selectExpenses } from "../lib/expense.mjs";
import { readExpenses } from "../lib/ledger.mjs";
import { EXPENSE, EXPENSE_ID, MONTH_FILTER, VENDOR_FILTER, objectOf } from "../lib/schemas.mjs";

/** @import { CallContext } from "../lib/context.mjs" */

/**
 * One page, in the order of recording. `next` is the `after` of the following page; pages stay in step while
 * expenses are being recorded, since ids only grow.
 *
 * @param {{ vendor?: string, month?: string, after?: string, limit: number }} input
 * @param {CallContext} ctx
 */
export async function listExpenses({ after, limit, ...filter }, ctx) {
  const matching = selectExpenses(await readExpenses(ctx.tenantId), filter);
  const start = after === undefined ? 0 : expenseNumber(after);
  const rest = matching.filter((expense) => expenseNumber(expense.id) > start);
  const page = rest.slice(0, limit);
  return {
    expenses: page.map(presentExpense),
    total: matching.length,
    next: rest.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

export default {
  id: "list-expenses",
  version: "1.0.0",
  description:
    "Lists the tenant's expenses in the order of recording, by vendor and month, page by page",
  mutating: false,
  input: objectOf(
    {
      vendor: VENDOR_FILTER,
      month: MONTH_FILTER,
      after: { ...EXPENSE_ID, description: "The `next` of the page before" },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    },
    ["vendor", "month", "after", "limit"],
  ),
  output: objectOf({
    expenses: { type: "array", maxItems: 100, items: EXPENSE },
    total: { type: "integer", minimum: 0, description: "Of all pages" },
    next: { ...EXPENSE_ID, type: ["string", "null"] },
  }),
  handler: listExpenses,
};
