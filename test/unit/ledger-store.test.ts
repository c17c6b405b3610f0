import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readExpenses } from "../../examples/ledger/lib/ledger.mjs";
import { record, useLedgerFile } from "./ledger-setup.ts";

const ledger = useLedgerFile();

describe("recording", () => {
  test("keeps the expense in the file, numbered per tenant", async () => {
    const first = await record({ note: "two flat whites" });
    const second = await record({ vendor: "Acme Air", amount: "230", currency: "USD" });
    const other = await record({}, { tenantId: "globex" });
    expect(first.expense).toEqual({
      id: "exp-000001",
      vendor: "Blue Bottle",
      amount: "4.50",
      currency: "EUR",
      date: "2026-11-02",
      note: "two flat whites",
    });
    expect(second.expense.id).toBe("exp-000002");
    expect(other.expense.id).toBe("exp-000001");
    expect((await readExpenses("acme")).map(({ id }) => id)).toEqual(["exp-000001", "exp-000002"]);
    expect(await readExpenses("nobody")).toEqual([]);
    expect(await ledger.siblings()).toEqual(["ledger.json"]);
  });

  test("is of today, in UTC, when no date is given", async () => {
    const before = new Date().toISOString().slice(0, 10);
    const { expense } = await record({ date: undefined });
    const after = new Date().toISOString().slice(0, 10);
    expect([before, after]).toContain(expense.date);
  });

  test("goes on after the highest number, also where an expense was taken out by hand", async () => {
    await record({});
    await record({});
    const kept = JSON.parse(await ledger.text());
    kept.expenses.shift();
    await ledger.write(JSON.stringify(kept));
    expect((await record({})).expense.id).toBe("exp-000003");
  });

  test("loses none of 100 at the same time", async () => {
    const ids = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (await record({ vendor: `v${i}` })).expense.id),
    );
    expect(new Set(ids).size).toBe(100);
    const vendors = (await readExpenses("acme")).map(({ vendor }) => vendor);
    expect(new Set(vendors).size).toBe(100);
    expect(await ledger.siblings()).toEqual(["ledger.json"]);
  });

  test("keeps whatever several tenants record at the same time, in order", async () => {
    const name = fc
      .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
      .filter((text) => text.trim() === text && text.length <= 120);
    const tenant = fc.constantFrom("a", "b", "__proto__");
    const calls = fc.array(fc.record({ vendor: name, tenantId: tenant }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(calls, fc.uuid(), async (recorded, run) => {
        await Promise.all(
          recorded.map(({ vendor, tenantId }) => record({ vendor }, { tenantId: tenantId + run })),
        );
        for (const tenantId of ["a", "b", "__proto__"]) {
          const kept = await readExpenses(tenantId + run);
          const asked = recorded.filter((call) => call.tenantId === tenantId);
          expect(kept.map((expense) => expense.vendor)).toEqual(asked.map((call) => call.vendor));
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe("an idempotency key", () => {
  const idempotencyKey = "run-1/call-1";

  test("records once, however often and at once it comes", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => record({}, { idempotencyKey })),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ expense }) => expense.id))).toEqual(new Set(["exp-000001"]));
    expect(await readExpenses("acme")).toHaveLength(1);
  });

  test("stands for what it recorded, whatever the day of the retry", async () => {
    await record({ date: "2026-01-31" }, { idempotencyKey });
    expect(await record({ date: undefined }, { idempotencyKey })).toMatchObject({
      replayed: true,
      expense: { date: "2026-01-31" },
    });
  });

  test("is refused for another expense", async () => {
    await record({}, { idempotencyKey });
    await expect(record({ amount: "4.51" }, { idempotencyKey })).rejects.toThrow(
      "This idempotency key recorded exp-000001",
    );
    expect(await readExpenses("acme")).toHaveLength(1);
  });

  test("belongs to its tenant", async () => {
    await record({}, { idempotencyKey });
    const other = await record({}, { idempotencyKey, tenantId: "globex" });
    expect(other.replayed).toBe(false);
  });
});

describe("a cancelled call", () => {
  test("records nothing when its turn comes too late", async () => {
    const controller = new AbortController();
    const first = record({});
    const second = record({}, { abortSignal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    await first;
    expect(await readExpenses("acme")).toHaveLength(1);
    expect((await record({})).expense.id).toBe("exp-000002");
  });
});

describe("a file that is no ledger", () => {
  const foreign = [
    [
      "a torn one",
      '{ "format": "pack-ledger", "v": 1, "expenses": [{ "id',
      "is cut short or not JSON",
    ],
    ["an empty one", "", "is cut short or not JSON"],
    ["other JSON", '{"name":"something-else"}', 'at "/format"'],
    ["a later version", '{"format":"pack-ledger","v":2,"expenses":[]}', 'at "/v"'],
    ["one with more in it", '{"format":"pack-ledger","v":1,"expenses":[],"budget":5}', "budget"],
    [
      "a broken expense",
      '{"format":"pack-ledger","v":1,"expenses":[{"tenantId":"acme","id":"exp-000001","vendor":"x","minor":1.5,"currency":"EUR","date":"2026-01-01"}]}',
      'at "/expenses/0/minor"',
    ],
  ] as const;

  test.each(foreign)("%s is told and left as it is", async (_, text, why) => {
    await ledger.write(text);
    await expect(readExpenses("acme")).rejects.toThrow(why);
    await expect(record({})).rejects.toThrow("set LEDGER_FILE to another file");
    expect(await ledger.text()).toBe(text);
    expect(await ledger.siblings()).toEqual(["ledger.json"]);
  });

  test("stops nobody once it is mended", async () => {
    await ledger.write("{");
    await expect(record({})).rejects.toThrow(ledger.path);
    await ledger.write('{"format":"pack-ledger","v":1,"expenses":[]}');
    expect((await record({})).expense.id).toBe("exp-000001");
  });
});

describe("a write that fails", () => {
  afterEach(() => vi.restoreAllMocks());

  test.each(["open", "rename"] as const)(
    "in %s leaves the ledger whole, and no draft",
    async (step) => {
      await record({});
      const before = await ledger.text();
      const fs = process.getBuiltinModule("node:fs/promises");
      vi.spyOn(fs, step).mockRejectedValueOnce(new Error("disk full"));
      await expect(record({})).rejects.toThrow("disk full");
      expect(await ledger.text()).toBe(before);
      expect(await ledger.siblings()).toEqual(["ledger.json"]);
    },
  );

  test("half-way through the draft leaves the ledger whole, and no draft", async () => {
    await record({});
    const before = await ledger.text();
    const fs = process.getBuiltinModule("node:fs/promises");
    const open = fs.open.bind(fs);
    vi.spyOn(fs, "open").mockImplementationOnce(async (...args) => {
      const file = await open(...args);
      vi.spyOn(file, "writeFile").mockImplementation(async (text) => {
        await file.write(String(text).slice(0, 20));
        throw new Error("disk full");
      });
      return file;
    });
    await expect(record({})).rejects.toThrow("disk full");
    expect(await ledger.text()).toBe(before);
    expect(await ledger.siblings()).toEqual(["ledger.json"]);
  });
});

describe("a runtime without files", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("keeps the ledger in memory", async () => {
    vi.stubGlobal("process", undefined);
    expect((await record({})).storage).toBe("memory");
    expect((await record({})).expense.id).toBe("exp-000002");
    expect(await readExpenses("acme")).toHaveLength(2);
    vi.unstubAllGlobals();
    expect(await readExpenses("acme")).toEqual([]);
  });

  test("says so when LEDGER_FILE names a file all the same", async () => {
    vi.stubGlobal("process", { env: { LEDGER_FILE: "ledger.json" } });
    await expect(record({})).rejects.toThrow("unset LEDGER_FILE to keep the ledger in memory");
  });
});

test("only the process names the file, never a call", async () => {
  await record({}, { env: { LEDGER_FILE: `${ledger.path}.other` } });
  expect(await ledger.siblings()).toEqual(["ledger.json"]);
});
