import { expenseNumber, presentExpense, selectExpenses } from "../lib/expense.mjs";
import { readExpenses } from "../lib/ledger.mjs";

/** @import { CallContext } from "../lib/context.mjs" */

/**
 * One page, in the order of recording. `next` is the `after` of the following page; pages stay in step while
 * expenses are being recorded, since ids only grow.
 *
 * @param {{ vendor?: string, month?: string, after?: string, limit: number }} input
 * @param {CallContext} ctx
 */
export default async function listExpenses({ after, limit, ...filter }, ctx) {
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
