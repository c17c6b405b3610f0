import { callEnv } from "../lib/context.mjs";
import { selectExpenses, vendorKey } from "../lib/expense.mjs";
import { readExpenses } from "../lib/ledger.mjs";
import { ROUNDING, convert, fromMinor } from "../lib/money.mjs";
import { CURRENCIES, RATES_AS_OF } from "../lib/rates.mjs";
import { sleep } from "../lib/sleep.mjs";
import { totalsBy } from "../lib/totals.mjs";
import { CURRENCY, DATE, MONTH, MONTH_FILTER, TOTAL, objectOf } from "../lib/schemas.mjs";

/** @import { CallContext } from "../lib/context.mjs" */

/**
 * What each vendor got, most first, in the currency that `LEDGER_BASE_CURRENCY` names (EUR when unset). Each
 * expense is converted and rounded, then added. `takesMs` stands for slow work; the call's signal ends it.
 *
 * @param {{ month?: string, takesMs: number }} input
 * @param {CallContext} ctx
 */
export async function spendingReport({ month, takesMs }, ctx) {
  const currency = baseCurrency(ctx);
  await sleep(takesMs, ctx.abortSignal);
  const expenses = selectExpenses(await readExpenses(ctx.tenantId), { month });
  const totals = totalsBy(
    expenses,
    ({ vendor }) => vendorKey(vendor),
    (expense) => convert(BigInt(expense.minor), expense.currency, currency).minor,
  );
  totals.sort((a, b) => Number(b.minor - a.minor));
  return {
    month: month ?? null,
    currency,
    total: fromMinor(
      totals.reduce((sum, { minor }) => sum + minor, 0n),
      currency,
    ),
    vendors: totals.map(({ first, minor, count }) => ({
      vendor: first.vendor,
      total: fromMinor(minor, currency),
      count,
    })),
    rounding: ROUNDING,
    ratesAsOf: RATES_AS_OF,
  };
}

/** @param {CallContext} ctx */
function baseCurrency(ctx) {
  const currency = callEnv(ctx, "LEDGER_BASE_CURRENCY") ?? "EUR";
  if (CURRENCIES.has(currency)) return currency;
  throw new RangeError(`LEDGER_BASE_CURRENCY must be one of ${[...CURRENCIES.keys()].join(", ")}`);
}

export default {
  id: "spending-report",
  version: "1.0.0",
  description:
    "Reports what each vendor got, most first, in the currency LEDGER_BASE_CURRENCY. Takes its time and stops when the call is cancelled",
  mutating: false,
  input: objectOf(
    {
      month: MONTH_FILTER,
      takesMs: {
        type: "integer",
        minimum: 0,
        maximum: 600_000,
        default: 2_000,
        description: "Stands for slow work, in milliseconds",
      },
    },
    ["month", "takesMs"],
  ),
  output: objectOf({
    month: { ...MONTH, type: ["string", "null"] },
    currency: CURRENCY,
    total: TOTAL,
    vendors: {
      type: "array",
      items: objectOf({
        vendor: { type: "string" },
        total: TOTAL,
        count: { type: "integer", minimum: 1 },
      }),
    },
    rounding: { const: ROUNDING },
    ratesAsOf: DATE,
  }),
  handler: spendingReport,
};
