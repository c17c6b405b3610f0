import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createPackClient } from "../../src/client.ts";
import type { CheckResult, FailedOutcome } from "../../src/client.ts";
import { ctx, testHandler, token } from "./client-setup.ts";

interface Ledger {
  tools: {
    "record-expense": { input: { vendor: string; note?: string }; output: { id: string } };
    "from-schema": typeof schemaTool;
    "from-model": { inputZod: z.ZodObject<{ on: z.ZodDefault<z.ZodString> }> };
  };
  checks: {
    limit: { config: { maximum: string }; trace: { spent: number } };
    open: { result: CheckResult & { attributes: { seen: number } } };
  };
}

const schemaTool = {
  input: z.object({ amount: z.string().transform(Number) }),
  output: z.object({ total: z.number() }),
  handler: () => ({ total: 1 }),
};

const options = { url: "http://pack", token, fetch: testHandler() };
const client = createPackClient<Ledger>(options);
const untyped = createPackClient(options);

// These hold when `tsc` accepts the file; a comment of `@ts-expect-error` on what it would accept fails there.
describe("types of a client", () => {
  test("follow the tool's id", async () => {
    const outcome = await client.invoke("record-expense", { vendor: "v" }, { ctx });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("output")
      .toEqualTypeOf<{ id: string }>();
    expectTypeOf(outcome).extract<{ ok: false }>().toEqualTypeOf<FailedOutcome>();
    // @ts-expect-error a member is missing
    await client.invoke("record-expense", {}, { ctx });
    // @ts-expect-error no such tool
    await client.invoke("record", { vendor: "v" }, { ctx });
    // @ts-expect-error no context
    await client.invoke("record-expense", { vendor: "v" }, {}).catch(() => {});
  });

  test("come from Standard Schemas, too", async () => {
    const outcome = await client.invoke("from-schema", { amount: "1" }, { ctx });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("output")
      .toEqualTypeOf<{ total: number }>();
    const modelled = await client.invoke("from-model", {}, { ctx });
    expectTypeOf(modelled).extract<{ ok: true }>().toHaveProperty("output").toBeUnknown();
    // @ts-expect-error the schema takes a text
    await client.invoke("from-schema", { amount: 1 }, { ctx });
    // @ts-expect-error the model takes a text
    await client.invoke("from-model", { on: 1 }, { ctx });
  });

  test("follow the check's id", async () => {
    const outcome = await client.check("limit", { config: { maximum: "1" }, trace: { spent: 1 } });
    expectTypeOf(outcome)
      .extract<{ ok: true }>()
      .toHaveProperty("result")
      .toEqualTypeOf<CheckResult>();
    const open = await client.check("open", { trace: null });
    if (open.ok) expectTypeOf(open.result.attributes.seen).toBeNumber();
    // @ts-expect-error the config is missing
    await client.check("limit", { trace: { spent: 1 } });
    // @ts-expect-error another trace
    await client.check("limit", { config: { maximum: "1" }, trace: {} });
    // @ts-expect-error no such check
    await client.check("limits", { trace: null });
  });

  test("are open without a pack's types, and where those say nothing", async () => {
    const outcome = await untyped.invoke("any", 1, { ctx });
    expectTypeOf(outcome).extract<{ ok: true }>().toHaveProperty("output").toBeUnknown();
    await untyped.check("any", { trace: 1 });
    await untyped.check("any", { config: { a: 1 }, trace: 1 });
    await createPackClient<{ tools: Ledger["tools"] }>(options).check("any", { trace: 1 });
  });
});
