import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { output } from "../answer.ts";
import { serveWorker } from "../edge.ts";
import { callCheck, callTool } from "../messages.ts";
import { TOKEN } from "../target.ts";
import type { Service } from "../target.ts";
import { denoLaunch, launchOf } from "./launch.ts";
import { EXAMPLE, readWrangler } from "./wrangler.ts";

const SETTINGS = { KINDGI_PACK_SERVICE_TOKEN: TOKEN, LEDGER_BASE_CURRENCY: "USD" };
/** Where there are files, they are not to be written. */
const IN_MEMORY = { ...SETTINGS, LEDGER_FILE: ":memory:" };
/** Longest start: only one that hangs reaches it. */
const MAX_START_MS = 120_000;
const wrangler = readWrangler();
const main = join(EXAMPLE, wrangler.main);

/** Runs the build that wrangler.jsonc names, by this repository's command. */
function build(): void {
  const [npx, name, ...args] = wrangler.build.command.split(" ");
  expect([npx, name]).toEqual(["npx", "pack-handler"]);
  const cli = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));
  execFileSync(process.execPath, [cli, ...args], { cwd: EXAMPLE, stdio: "pipe" });
}

const launches = {
  "workerd, as wrangler.jsonc has it": () => launchOf("workerd", main, SETTINGS),
  "Deno, by deno-deploy.mjs": () =>
    denoLaunch([EXAMPLE], [join(EXAMPLE, "deno-deploy.mjs")], {
      ...IN_MEMORY,
      // It is on Deno Deploy that the file says nothing of a port.
      DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0",
    }),
  "Node without code generation": () => launchOf("node", main, IN_MEMORY),
};

beforeAll(build, MAX_START_MS);

test("wrangler.jsonc serves the module as it was built", () => {
  expect(wrangler.no_bundle).toBe(true);
  expect(wrangler.compatibility_flags).toContain("enable_request_signal");
});

describe.each(Object.entries(launches))("the example pack's worker on %s", (_name, launch) => {
  let service: Service;
  beforeAll(async () => {
    service = await serveWorker(launch());
  }, MAX_START_MS);
  afterAll(() => service.stop());

  test("records, lists and reports", async () => {
    const expense = { vendor: "Blue Bottle", amount: "4.50", date: "2026-11-02" };
    const recorded = output(await callTool(service, "record-expense", expense));
    expect(recorded).toMatchObject({ expense: { id: "exp-000001" }, replayed: false });
    const { expenses } = output(await callTool(service, "list-expenses", { month: "2026-11" }));
    expect(expenses).toEqual([recorded.expense]);
    const report = { month: "2026-11", takesMs: 1 };
    expect(output(await callTool(service, "spending-report", report))).toMatchObject({
      currency: "USD",
    });
  });

  test("refuses what the schema and the model refuse", async () => {
    const invalid = await callTool(service, "list-expenses", { limit: 0 });
    expect(JSON.parse(invalid.text)).toMatchObject({ code: "input-validation-failed" });
    const modelled = await callTool(service, "record-expense", { vendor: "A", amount: "0.00" });
    expect(JSON.parse(modelled.text).issues).toEqual([
      { instancePath: "/amount", message: expect.any(String) },
    ]);
  });

  test("checks", async () => {
    const trace = { response: "The coffee was 4.50 EUR (exp-000001)." };
    expect(output(await callCheck(service, "cites-expense", {}, trace))).toMatchObject({
      passed: true,
    });
  });
});
