import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { inputZod } from "../../examples/ledger/tools/record-expense.mjs";
import { listExpenses } from "../../examples/ledger/tools/list-expenses.mjs";
import { spendingReport } from "../../examples/ledger/tools/spending-report.mjs";
import { sumExpenses } from "../../examples/ledger/tools/sum-expenses.mjs";
import { context, record, useLedgerFile } from "./ledger-setup.ts";

useLedgerFile();

describe("the model of record-expense", () => {
  test("hands the handler trimmed text, the default currency and minor units", () => {
    expect(inputZod.parse({ vendor: " Blue Bottle ", amount: "4.5" })).toEqual({
      vendor: "Blue Bottle",
      currency: "EUR",
      minor: 450,
    });
  });

  test.each([
    [
      "more decimals than the currency has",
      { amount: "4.5", currency: "JPY" },
      "at most 0 decimals",
    ],
    ["nothing", { amount: "0.00" }, "must be above zero"],
  ])("refuses %s", (_, amount, message) => {
    const { error } = inputZod.safeParse({ vendor: "x", ...amount });
    expect(error?.issues).toEqual([
      expect.objectContaining({ path: ["amount"], message: expect.stringContaining(message) }),
    ]);
  });

  test("refuses a vendor of spaces, an unknown member and a day that doesn't exist", () => {
    expect(inputZod.safeParse({ vendor: "  ", amount: "1" }).success).toBe(false);
    expect(inputZod.safeParse({ vendor: "x", amount: "1", vat: "0.19" }).success).toBe(false);
    expect(inputZod.safeParse({ vendor: "x", amount: "1", date: "2026-02-29" }).success).toBe(
      false,
    );
  });
});

describe("list-expenses", () => {
  test("filters by vendor in any case and by month", async () => {
    await record({ vendor: "Blue Bottle", date: "2026-10-31" });
    await record({ vendor: "BLUE BOTTLE", date: "2026-11-01" });
    await record({ vendor: "Blue", date: "2026-11-01" });
    expect(await idsOf({ vendor: "blue bottle" })).toEqual(["exp-000001", "exp-000002"]);
    expect(await idsOf({ month: "2026-11" })).toEqual(["exp-000002", "exp-000003"]);
    expect(await idsOf({ vendor: "blue bottle ", month: "2026-11" })).toEqual(["exp-000002"]);
    expect(await idsOf({ vendor: "nobody" })).toEqual([]);
  });

  test("shows a tenant its own alone", async () => {
    await record({});
    expect(await listExpenses({ limit: 20 }, context({ tenantId: "globex" }))).toEqual({
      expenses: [],
      total: 0,
      next: null,
    });
  });

  test("gives each expense on exactly one page, whatever the page's size", async () => {
    for (let i = 0; i < 12; i += 1) await record({ vendor: i % 3 === 0 ? "a" : "b" });
    const filter = fc.record({ vendor: fc.constantFrom("a", "b") }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 15 }), filter, async (limit, chosen) => {
        const all = (await listExpenses({ ...chosen, limit: 100 }, context())).expenses;
        const pages = await allPages({ ...chosen, limit });
        expect(pages.flat()).toEqual(all);
        expect(pages).toHaveLength(Math.ceil(all.length / limit));
      }),
      { numRuns: 40 },
    );
  });

  test("keeps its pages in step while expenses are recorded", async () => {
    for (let i = 0; i < 4; i += 1) await record({});
    const first = await listExpenses({ limit: 2 }, context());
    await record({ date: "2020-01-01" });
    const second = await listExpenses({ limit: 2, after: String(first.next) }, context());
    expect(second.expenses.map(({ id }) => id)).toEqual(["exp-000003", "exp-000004"]);
    expect(second).toMatchObject({ total: 5, next: "exp-000004" });
  });
});

async function idsOf(filter: { vendor?: string; month?: string }) {
  const { expenses } = await listExpenses({ limit: 20, ...filter }, context());
  return expenses.map(({ id }) => id);
}

async function allPages(input: { limit: number; vendor?: string }) {
  const pages = [];
  for (let after: string | undefined; ;) {
    const page = await listExpenses(after === undefined ? input : { ...input, after }, context());
    pages.push(page.expenses);
    if (page.next === null) return pages;
    after = page.next;
  }
}

describe("sum-expenses", () => {
  test("adds per month, vendor and currency, and never across currencies", async () => {
    await record({ vendor: "Zed", amount: "0.10", date: "2026-11-01" });
    await record({ vendor: "zed", amount: "0.20", date: "2026-11-30" });
    await record({ vendor: "Zed", amount: "5", currency: "USD", date: "2026-11-05" });
    await record({ vendor: "Acme", amount: "1.5", currency: "KWD", date: "2026-12-01" });
    await record({ vendor: "Acme", amount: "7", date: "2026-10-01" });
    expect((await sumExpenses({}, context())).sums).toEqual([
      { month: "2026-10", vendor: "Acme", currency: "EUR", total: "7.00", count: 1 },
      { month: "2026-11", vendor: "Zed", currency: "EUR", total: "0.30", count: 2 },
      { month: "2026-11", vendor: "Zed", currency: "USD", total: "5.00", count: 1 },
      { month: "2026-12", vendor: "Acme", currency: "KWD", total: "1.500", count: 1 },
    ]);
    expect((await sumExpenses({ vendor: "ACME", month: "2026-12" }, context())).sums).toHaveLength(
      1,
    );
  });

  test("is exact, however many amounts there are", async () => {
    const cents = fc.array(fc.integer({ min: 1, max: 99_999_999_999 }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(cents, fc.uuid(), async (amounts, tenantId) => {
        const texts = amounts.map(
          (n) => `${Math.floor(n / 100)}.${String(n % 100).padStart(2, "0")}`,
        );
        await Promise.all(texts.map((amount) => record({ amount }, { tenantId })));
        const { sums } = await sumExpenses({}, context({ tenantId }));
        const total = amounts.reduce((sum, n) => sum + BigInt(n), 0n);
        expect(sums[0]?.total.replace(".", "").replace(/^0+/, "")).toBe(String(total));
      }),
      { numRuns: 15 },
    );
  });
});

describe("spending-report", () => {
  test("adds up each vendor in the base currency, most first", async () => {
    await record({ vendor: "Acme", amount: "10" });
    await record({ vendor: "Zed", amount: "116.04", currency: "USD" });
    await record({ vendor: "acme", amount: "0.5" });
    await record({ vendor: "Old", date: "2025-01-01" });
    expect(await spendingReport({ month: "2026-11", takesMs: 0 }, context())).toEqual({
      month: "2026-11",
      currency: "EUR",
      total: "110.50",
      vendors: [
        { vendor: "Zed", total: "100.00", count: 1 },
        { vendor: "Acme", total: "10.50", count: 2 },
      ],
      rounding: "half-up",
      ratesAsOf: "2026-11-30",
    });
  });

  test("takes the base currency from the call, else from the process", async () => {
    expect(await reportCurrency()).toBe("EUR");
    vi.stubEnv("LEDGER_BASE_CURRENCY", "JPY");
    expect(await reportCurrency()).toBe("JPY");
    expect(await reportCurrency({})).toBe("JPY");
    expect(await reportCurrency({ LEDGER_BASE_CURRENCY: "USD" })).toBe("USD");
    await expect(reportCurrency({ LEDGER_BASE_CURRENCY: "usd" })).rejects.toThrow(
      "LEDGER_BASE_CURRENCY must be one of CHF, EUR",
    );
  });
});

async function reportCurrency(env?: Record<string, unknown>) {
  const report = await spendingReport({ takesMs: 0 }, context(env ? { env } : {}));
  return report.currency;
}

describe("a slow report", () => {
  afterEach(() => vi.useRealTimers());

  test("ends with the signal's reason as soon as it aborts, and leaves nothing behind", async () => {
    vi.useFakeTimers();
    const { controller, listeners } = watched();
    const report = spendingReport(
      { takesMs: 600_000 },
      context({ abortSignal: controller.signal }),
    );
    expect([vi.getTimerCount(), listeners.size]).toEqual([1, 1]);
    const reason = new DOMException("late", "TimeoutError");
    controller.abort(reason);
    await expect(report).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("doesn't begin when the signal has aborted already", async () => {
    vi.useFakeTimers();
    const { controller, listeners } = watched();
    controller.abort();
    const report = spendingReport(
      { takesMs: 600_000 },
      context({ abortSignal: controller.signal }),
    );
    await expect(report).rejects.toMatchObject({ name: "AbortError" });
    expect([vi.getTimerCount(), listeners.size]).toEqual([0, 0]);
  });

  test("leaves no listener behind when it comes to its end", async () => {
    const { controller, listeners } = watched();
    await spendingReport({ takesMs: 1 }, context({ abortSignal: controller.signal }));
    expect(listeners.size).toBe(0);
  });
});

/** A controller, and the listeners that its signal has now. */
function watched() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return { controller, listeners };
}
