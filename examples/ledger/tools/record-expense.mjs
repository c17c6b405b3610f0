import * as z from "zod";
import { presentExpense } from "../lib/expense.mjs";
import { addExpense } from "../lib/ledger.mjs";
import { AMOUNT_PATTERN, amountProblem, toMinor } from "../lib/money.mjs";
import { CURRENCIES } from "../lib/rates.mjs";
import { EXPENSE, objectOf } from "../lib/schemas.mjs";

/** @import { CallContext } from "../lib/context.mjs" */

/** Hands the handler the amount in minor units, checked against the currency, which JSON Schema can't do. */
export const inputZod = z
  .strictObject({
    vendor: z.string().trim().min(1).max(120).describe("Who was paid"),
    amount: z
      .string()
      .regex(new RegExp(AMOUNT_PATTERN))
      .describe('Decimal text above zero, such as "19.99"; no more decimals than the currency has'),
    currency: z.enum([...CURRENCIES.keys()]).default("EUR"),
    date: z.iso.date().optional().describe("YYYY-MM-DD; today in UTC when absent"),
    note: z.string().trim().max(500).optional(),
  })
  .superRefine(({ amount, currency }, check) => {
    const zero = /^[0.]+$/.test(amount) ? "must be above zero" : undefined;
    const message = amountProblem(amount, currency) ?? zero;
    if (message) check.addIssue({ code: "custom", path: ["amount"], message });
  })
  .transform(({ amount, ...expense }) => ({
    ...expense,
    minor: Number(toMinor(amount, expense.currency)),
  }));

/**
 * @param {z.output<typeof inputZod>} input
 * @param {CallContext} ctx
 */
export async function recordExpense(input, ctx) {
  const { expense, replayed, storage } = await addExpense({
    tenantId: ctx.tenantId,
    expense: input,
    idempotencyKey: ctx.idempotencyKey,
    signal: ctx.abortSignal,
  });
  ctx.log?.info("expense recorded", { expenseId: expense.id, replayed, storage });
  return { expense: presentExpense(expense), replayed, storage };
}

export default {
  id: "record-expense",
  version: "1.0.0",
  description: "Records an expense of the tenant. The same idempotency key records once",
  mutating: true,
  input: inputZod,
  output: objectOf({
    expense: EXPENSE,
    replayed: { type: "boolean", description: "The idempotency key had recorded it already" },
    storage: { enum: ["file", "memory"] },
  }),
  handler: recordExpense,
};
