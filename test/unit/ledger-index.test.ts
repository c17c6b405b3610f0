import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { buildIndex } from "../../adapters/indexing/build-index.ts";
import { indexText } from "../../adapters/indexing/index-text.ts";
import { createPackHandler } from "../../src/index.ts";
import type { LogRecord } from "../../src/index.ts";
import index from "../../examples/ledger/index.json" with { type: "json" };
import { useLedgerFile } from "./ledger-setup.ts";

useLedgerFile();

const PACK = new URL("../../examples/ledger/", import.meta.url);
const modulePaths = [
  ...index.tools.map(({ modulePath }) => modulePath),
  ...index.guardrails.map(({ checkModulePath }) => checkModulePath),
];
const modules = Object.fromEntries(
  modulePaths.map((path) => [path, () => import(new URL(path, PACK).href)]),
);
const token = "a-test-token";

describe("the index", () => {
  test("is what pack-handler index makes of the source", async () => {
    const text = await readFile(new URL("index.json", PACK), "utf8");
    const built = await buildIndex({ root: fileURLToPath(PACK), previous: index });
    expect(built).toEqual({ index });
    expect(text).toBe(indexText(index));
  });

  test("describes objects without room for more", () => {
    const schemas = [
      ...index.tools.flatMap(({ input, output }) => [input, output]),
      ...index.guardrails.map(({ configSchema }) => configSchema),
    ];
    for (const schema of schemas.flatMap(objectSchemas)) {
      expect(schema).toMatchObject({ additionalProperties: false });
    }
  });

  test("holds a config for each guardrail that its schema accepts", async () => {
    for (const { id, config } of index.guardrails) {
      const message = {
        v: 2,
        kind: "check-invoke",
        check: { id },
        config,
        trace: { response: "exp-000001" },
      };
      expect(await invoke(JSON.stringify(message))).toMatchObject({ result: { passed: true } });
    }
  });
});

describe("the service", () => {
  test("takes the pack without a warning", async () => {
    const records: LogRecord[] = [];
    await createPackHandler(index, modules, { token, onRecord: (record) => records.push(record) })
      .ready;
    expect(records).toEqual([]);
  });

  test("answers every call of its README as it says", async () => {
    const calls = await readmeCalls(new URL("README.md", PACK));
    const called = calls.map(({ message: { tool, check } }) => (tool ?? check).id);
    expect(called.toSorted()).toEqual(
      [...index.tools, ...index.guardrails].map(({ id }) => id).toSorted(),
    );
    for (const { body, answer } of calls) expect(await invoke(body)).toEqual(answer);
  });

  test("answers every call of the project's README as it says", async () => {
    const calls = await readmeCalls(new URL("../../README.md", import.meta.url));
    expect(calls.length).toBeGreaterThan(1);
    for (const { body, answer } of calls) expect(await invoke(body)).toEqual(answer);
  });

  test.each([
    ["list-expenses", {}, { expenses: [], total: 0, next: null }],
    ["sum-expenses", {}, { sums: [] }],
    ["spending-report", { takesMs: 0 }, { month: null, total: "0.00", vendors: [] }],
    ["convert-currency", { amount: "1", from: "KWD", to: "JPY" }, { to: { amount: "507" } }],
    [
      "record-expense",
      { vendor: "x", amount: "0.001", currency: "KWD", note: "" },
      { storage: "file" },
    ],
  ])("gets from %s %j what the index promises", async (id, input, output) => {
    expect(await invokeTool(id, input)).toMatchObject({ kind: "result", output });
  });

  test.each([
    [
      "record-expense",
      { vendor: "x", amount: "0.00" },
      { instancePath: "/amount", message: "must be above zero" },
    ],
    ["record-expense", { vendor: "x", amount: 1 }, { instancePath: "/amount", keyword: "type" }],
    ["list-expenses", { limit: 0 }, { instancePath: "/limit", keyword: "minimum" }],
    ["list-expenses", { month: "2026-13" }, { instancePath: "/month", keyword: "pattern" }],
    ["convert-currency", { amount: "1", from: "XXX" }, { instancePath: "/from", keyword: "enum" }],
    ["spending-report", { takesMs: 600_001 }, { instancePath: "/takesMs", keyword: "maximum" }],
  ])("refuses %s %j", async (id, input, issue) => {
    const answer = await invokeTool(id, input);
    expect(answer).toMatchObject({ code: "input-validation-failed", issues: [issue] });
  });
});

function invokeTool(id: string, input: unknown) {
  const ctx = { tenantId: "acme", runId: "run-1" };
  return invoke(JSON.stringify({ v: 2, kind: "invoke", tool: { id }, input, ctx }));
}

async function invoke(body: string): Promise<unknown> {
  const handler = createPackHandler(index, modules, { token });
  await handler.ready;
  const headers = { "content-type": "application/json", "kindgi-pack-token": token };
  const response = await handler(
    new Request("http://pack/v1/invoke", { method: "POST", headers, body }),
  );
  expect(response.status).toBe(200);
  return response.json();
}

/** Every schema of an object in a schema. */
function objectSchemas(schema: unknown): object[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectSchemas);
  return "properties" in schema ? [schema, ...inner] : inner;
}

/** The calls that a README shows, each with the answer it shows. */
async function readmeCalls(url: URL) {
  const readme = await readFile(url, "utf8");
  const calls = readme.matchAll(/ -d '(.+)'\n```\n\n```text\n(.+)\n```/g);
  return [...calls].map(([, body = "", answer = ""]) => ({
    body,
    message: JSON.parse(body),
    answer: JSON.parse(answer),
  }));
}
