import { describe, expect, test } from "vitest";
import { evaluate as citesExpense } from "../../examples/ledger/checks/cites-expense.mjs";
import { evaluate as spendingLimit } from "../../examples/ledger/checks/spending-limit.mjs";

describe("cites-expense", () => {
  test.each([
    ["response text", { response: "Paid, see exp-000001." }],
    ["a structured response", { response: { text: "Paid", sources: ["exp-000001"] } }],
    ["finalOutput", { finalOutput: "exp-000001" }],
    ["output", { output: { content: [{ type: "text", text: "(exp-000001)" }] } }],
    [
      "the last assistant message",
      {
        messages: [
          { role: "assistant", content: "One moment" },
          { role: "assistant", content: [{ type: "text", text: "exp-000001" }] },
          { role: "user", content: "Thanks" },
        ],
      },
    ],
  ])("finds the id in %s", (_, trace) => {
    expect(citesExpense({}, trace)).toEqual({
      passed: true,
      attributes: { cited: ["exp-000001"] },
    });
  });

  test.each([
    ["an answer without an id", { response: "Paid." }],
    ["an id that is too short", { response: "exp-12" }],
    ["an id inside a word", { response: "subexp-000001x" }],
    ["an id that only the question holds", { response: "Paid.", input: "What of exp-000001?" }],
    [
      "an empty answer before a message",
      { response: "", messages: [{ role: "assistant", content: "exp-000001" }] },
    ],
  ])("fails %s", (_, trace) => {
    expect(citesExpense({}, trace).passed).toBe(false);
  });

  test.each([[null], ["text"], [[]], [{}], [{ messages: 5 }], [{ messages: [null] }]])(
    "tells that %j holds no response",
    (trace) => {
      expect(citesExpense({}, trace)).toEqual({
        passed: false,
        reason: "The trace holds no response",
      });
    },
  );

  test("fails an id that none of the run's tools returned", () => {
    const toolCalls = [{ toolId: "list-expenses", output: { expenses: [{ id: "exp-000001" }] } }];
    expect(citesExpense({}, { response: "exp-000001", toolCalls }).passed).toBe(true);
    expect(citesExpense({}, { response: "exp-000001 and exp-000009", toolCalls })).toEqual({
      passed: false,
      reason: "No tool of this run returned exp-000009",
      attributes: { cited: ["exp-000001", "exp-000009"], unknown: ["exp-000009"] },
    });
  });
});

describe("spending-limit", () => {
  const config = { limit: "100.00", currency: "EUR" };

  test("passes up to the limit and fails over it", () => {
    expect(spendingLimit(config, { toolCalls: [call("60"), call("40")] })).toEqual({
      passed: true,
      attributes: { spent: "100.00", limit: "100.00", currency: "EUR", calls: 2 },
    });
    expect(spendingLimit(config, { toolCalls: [call("60"), call("40.01")] })).toMatchObject({
      passed: false,
      reason: "The run recorded expenses of 100.01 EUR, over its limit of 100.00 EUR",
    });
  });

  test("converts other currencies", () => {
    expect(spendingLimit(config, { toolCalls: [call("116.04", "USD")] }).passed).toBe(true);
    expect(spendingLimit(config, { toolCalls: [call("116.06", "USD")] }).passed).toBe(false);
  });

  test("counts neither replays, failures nor other tools", () => {
    const toolCalls = [
      call("900", "EUR", { replayed: true }),
      { toolId: "record-expense", input: { amount: "900" }, error: { code: "handler-throw" } },
      { toolId: "record-expense", input: { amount: "900" }, output: { v: 2, kind: "error" } },
      { toolId: "record-expense-draft", input: { amount: "900" } },
      { toolId: "convert-currency", input: { amount: "900" } },
    ];
    expect(spendingLimit(config, { toolCalls })).toMatchObject({
      passed: true,
      attributes: { spent: "0.00" },
    });
  });

  test.each([
    ["toolCalls", { toolCalls: [{ toolId: "ledger/record-expense", input: { amount: "200" } }] }],
    [
      "steps of steps",
      { steps: [{ steps: [{ toolName: "record-expense", args: { amount: "200" } }] }] },
    ],
    ["events", { events: [{ tool: { id: "record-expense" }, input: { amount: "200" } }] }],
    [
      "messages",
      {
        messages: [
          { role: "user", content: "Record it" },
          {
            role: "assistant",
            tool_calls: [{ function: { name: "record_expense", arguments: '{"amount":"200"}' } }],
          },
        ],
      },
    ],
    [
      "response messages",
      {
        toolCalls: [
          {
            tool: "record-expense",
            result: {
              v: 2,
              kind: "result",
              output: { expense: { amount: "200", currency: "EUR" } },
            },
          },
        ],
      },
    ],
  ])("reads calls from %s", (_, trace) => {
    expect(spendingLimit(config, trace)).toMatchObject({
      passed: false,
      attributes: { spent: "200.00", calls: 1 },
    });
  });

  test.each([
    [undefined],
    [{}],
    [{ amount: 5 }],
    [{ amount: "1.999" }],
    [{ amount: "1", currency: "XXX" }],
    ["{"],
  ])("fails a recording whose amount can't be read: %j", (input) => {
    const result = spendingLimit(config, { toolCalls: [{ toolId: "record-expense", input }] });
    expect(result).toMatchObject({
      passed: false,
      reason: expect.stringContaining("can't be read"),
    });
  });

  test.each([[null], ["text"], [[]], [{}], [{ toolCalls: [] }]])(
    "passes %j: nothing was spent",
    (trace) => {
      expect(spendingLimit(config, trace)).toMatchObject({
        passed: true,
        attributes: { calls: 0 },
      });
    },
  );

  test("says what is wrong with a limit that its currency can't hold", () => {
    expect(() => spendingLimit({ limit: "0.5", currency: "JPY" }, {})).toThrow(
      'The amount "0.5" must have at most 0 decimals in JPY',
    );
  });
});

function call(amount: string, currency = "EUR", members = {}) {
  return {
    toolId: "record-expense",
    output: { expense: { amount, currency }, replayed: false, ...members },
  };
}
