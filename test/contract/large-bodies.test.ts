import { expect, test } from "vitest";
import { createPackClient } from "../../src/client.ts";
import { createPackHandler } from "../../src/index.ts";

test("an output that no message can hold is refused as invalid, not by a 500", async () => {
  const longestText = 2 ** 29 - 24;
  const tool = { id: "t", modulePath: "t.mjs", description: "", input: {}, output: {} };
  const pack = { v: 1, packId: "p", packVersion: "1", artifactVersion: "1" };
  const index = {
    ...pack,
    publishedAt: "2026-12-01",
    tools: [tool],
    guardrails: [],
    agents: [],
    flows: [],
  };
  const modules = { "t.mjs": { default: () => "x".repeat(longestText - 2) } };
  const handler = createPackHandler(index, modules, { token: "secret-token" });
  const { invoke } = createPackClient({
    url: "http://pack",
    token: "secret-token",
    fetch: handler,
  });
  const ctx = { tenantId: "t", runId: "r" };
  const outcome = await invoke("t", {}, { ctx, timeoutMs: 100_000 });
  expect(outcome).toMatchObject({ ok: false, code: "output-validation-failed" });
}, 120_000);
