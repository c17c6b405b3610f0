import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createPackHandler } from "pack-handler";
import { createPackClient } from "pack-handler/client";
import shortRun from "../guardrails/short-run.js";
import greet from "../tools/greet.js";

const index = JSON.parse(readFileSync(new URL("../index.json", import.meta.url), "utf8"));
const modules = {
  "guardrails/short-run.js": { default: shortRun },
  "tools/greet.js": { default: greet },
};
const token = "a-test-token";
const handler = createPackHandler(index, modules, { token });
const client = createPackClient({ url: "http://pack", token, fetch: handler });
const ctx = { tenantId: "test", runId: "test" };

test("greets by name", async () => {
  const outcome = await client.invoke("greet", { name: "Ada" }, { ctx });
  assert.ok(outcome.ok, JSON.stringify(outcome));
  assert.equal(outcome.output, "Hello, Ada!");
});

test("refuses an input without a name", async () => {
  const outcome = await client.invoke("greet", {}, { ctx });
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "input-validation-failed");
});

test("tells a short run from a long one", async () => {
  const trace = { response: "Hello, Ada!" };
  const short = await client.check("short-run", { config: { maxLength: 500 }, trace });
  assert.ok(short.ok && short.result.passed);
  const long = await client.check("short-run", { config: { maxLength: 5 }, trace });
  assert.ok(long.ok && !long.result.passed);
});
