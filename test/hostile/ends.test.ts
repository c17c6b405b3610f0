import { describe, expect, test } from "vitest";
import type { TestContext } from "vitest";
import { indexOf, tool } from "../contract/packs.ts";
import { recordProblems } from "../contract/record-shape.ts";
import type { PackSource } from "../contract/target.ts";
import { MAX_WAIT_MS, nextContext, RUNTIMES, startFaulty } from "./faults-service.ts";
import type { FaultyService } from "./faults-service.ts";

type Runtime = (typeof RUNTIMES)[number];

const packThat = (end: string): PackSource => ({
  index: indexOf({ tools: [tool("ends", "ends.mjs"), tool("holds", "holds.mjs")] }),
  files: {
    "ends.mjs": `export default () => { ${end} };`,
    "holds.mjs": `export default ({ ms }, { log }) => new Promise((resolve) => {
      log.info("entered");
      setTimeout(resolve, ms, "held");
    });`,
  },
});

/** Starts a service with one call in flight, which takes so long. */
async function startHolding(
  { onTestFinished }: TestContext,
  runtime: Runtime,
  end: string,
  ms = MAX_WAIT_MS,
) {
  const service = await startFaulty(runtime, { pack: packThat(end), onTestFinished });
  await service.records.event("listening");
  const ctx = nextContext();
  const held = service.client.invoke("holds", { ms }, { ctx }).catch((error: unknown) => error);
  await service.records.logged(ctx.requestId, "entered");
  return { service, held };
}

function callEnd({ client }: FaultyService): Promise<unknown> {
  return client.invoke("ends", {}, { ctx: nextContext() }).catch((error: unknown) => error);
}

/** How pack code can say that the process shall end, by the exit code that comes of it. */
const EXITS: readonly { end: string; code: number; runtimes?: readonly Runtime[] }[] = [
  { end: "process.exit(3)", code: 3 },
  { end: "process.exitCode = 5; process.exit()", code: 5 },
  // It wasn't asked to end: its platform must not take that for success.
  { end: "process.exit(0)", code: 1 },
  { end: "setTimeout(() => process.exit(4), 0); return 1", code: 4 },
  { end: "Deno.exit(3)", code: 3, runtimes: ["deno"] },
  { end: "Deno.exit(0)", code: 1, runtimes: ["deno"] },
  { end: "process.reallyExit(3)", code: 3, runtimes: ["deno"] },
];

/** Ends that nothing of the process outlives: the runtime runs no more code, so there is no record. */
const SILENT: readonly { end: string; exit: object; runtimes?: readonly Runtime[] }[] = [
  { end: 'process.kill(process.pid, "SIGKILL")', exit: { code: null, signal: "SIGKILL" } },
  { end: "process.abort()", exit: { code: null, signal: "SIGABRT" } },
  {
    end: "process.reallyExit(3)",
    exit: { code: 3, signal: null },
    runtimes: ["node20", "bun"],
  },
];

const on = (runtime: Runtime) => (entry: { runtimes?: readonly Runtime[] }) =>
  entry.runtimes?.includes(runtime) ?? true;

describe.each(RUNTIMES)("ends from pack code, %s", (runtime) => {
  test.concurrent.for(EXITS.filter(on(runtime)))(
    "$end leaves a record and ends with $code",
    async ({ end, code }, context) => {
      const { service, held } = await startHolding(context, runtime, end);
      await callEnd(service);
      expect(await service.exited).toEqual({ code, signal: null });
      expect(await held).toMatchObject({ code: "network-failed" });
      const last = service.records.all.at(-1);
      expect(last).toMatchObject({ event: "pack-fault", level: "error", fault: "exit" });
      const said = Number(/\d/.exec(end)?.[0] ?? 0);
      expect(last?.exitCode).toBe(said);
      expect(last?.message).toContain(`exit code ${said}`);
      // The call that is held, and the one that ends the process where its answer isn't out yet.
      expect(last?.inFlight).toBe(end.includes("return") ? 1 : 2);
      expect(service.records.count(({ event }) => event === "pack-fault")).toBe(1);
      const lines = service.stderr().split("\n").filter(Boolean);
      expect(lines.flatMap((line) => recordProblems(line))).toEqual([]);
    },
  );

  test.concurrent.for(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])(
    "%s to its own process drains it",
    async (signal, context) => {
      const end = `process.kill(process.pid, "${signal}"); return "sent"`;
      const { service, held } = await startHolding(context, runtime, end, 200);
      expect(await callEnd(service)).toMatchObject({ ok: true, output: "sent" });
      expect(await held).toMatchObject({ ok: true, output: "held" });
      expect(await service.exited).toEqual({ code: 0, signal: null });
      const events = service.records.all.map(({ event }) => event);
      expect(events.filter((event) => event === "draining" || event === "stopped")).toEqual([
        "draining",
        "stopped",
      ]);
    },
  );

  test.concurrent.for(SILENT.filter(on(runtime)))(
    "$end leaves no record, and no call looks like it was answered",
    async ({ end, exit }, context) => {
      const { service, held } = await startHolding(context, runtime, end);
      expect(await callEnd(service)).toMatchObject({ code: "network-failed" });
      expect(await held).toMatchObject({ code: "network-failed" });
      expect(await service.exited).toEqual(exit);
      expect(service.records.count(({ event }) => event === "call")).toBe(0);
    },
  );

  test.concurrent.for([
    { end: "process.exit(3)", code: 3 },
    { end: "process.exit(0)", code: 1 },
  ])(
    "$end while it is imported is a boot that failed",
    async ({ end, code }, { onTestFinished }) => {
      const files = { "ends.mjs": `${end}; export default () => 1;` };
      const pack = { index: indexOf({ tools: [tool("ends", "ends.mjs")] }), files };
      const service = await startFaulty(runtime, { pack, onTestFinished });
      expect(await service.exited).toEqual({ code, signal: null });
      const { problems } = await service.records.event("boot-failed");
      expect(problems).toEqual([
        expect.stringMatching(/^Pack code ended the process with exit code/),
      ]);
    },
  );
});
