import { describe, expect, test } from "vitest";
import { indexOf, tool } from "../contract/packs.ts";
import { recordProblems } from "../contract/record-shape.ts";
import { nextContext, RUNTIMES, startFaulty } from "./faults-service.ts";
import type { FaultyService } from "./faults-service.ts";

/** The most that a record keeps of a message. */
const LINE_LENGTH = 16_384;

/** `logs` logs `input.lines` long lines, `exits` ends the process, `writes` writes to a disk that is full. */
const pack = {
  index: indexOf({
    tools: [tool("logs", "logs.mjs"), tool("exits", "exits.mjs"), tool("writes", "writes.mjs")],
  }),
  files: {
    "exits.mjs": "export default () => process.exit(3);",
    "writes.mjs": `import { writeFileSync } from "node:fs";
      export default () => writeFileSync("/dev/full", "text");`,
    "logs.mjs": `const text = "x".repeat(${LINE_LENGTH});
      export default ({ lines }, { log, requestId }) => {
        for (let line = 0; line < lines; line++) log.info(text);
        return requestId;
      };`,
  },
};

async function callLogs({ client }: FaultyService, lines: number): Promise<string> {
  const ctx = nextContext();
  const outcome = await client.invoke("logs", { lines }, { ctx });
  expect(outcome).toMatchObject({ ok: true, output: ctx.requestId });
  return ctx.requestId;
}

function packRecords({ records }: FaultyService) {
  return records.all.filter(({ subsystem }) => subsystem.startsWith("pack"));
}

describe.each(RUNTIMES)("stderr and disk, %s", (runtime) => {
  test.each(["2>&-", "2>/dev/full"])(
    "%s: calls are served, and SIGTERM ends with 0",
    async (redirection) => {
      const service = await startFaulty(runtime, { pack, redirection });
      await service.untilReady();
      for (let call = 0; call < 20; call++) await callLogs(service, 3);
      service.kill("SIGTERM");
      expect(await service.exited).toEqual({ code: 0, signal: null });
    },
  );

  test("a reader that goes away: calls are served, and SIGTERM ends with 0", async () => {
    const service = await startFaulty(runtime, { pack });
    await service.records.event("listening");
    await callLogs(service, 1);
    service.closeStderr();
    for (let call = 0; call < 20; call++) await callLogs(service, 3);
    service.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  test("a pipe that nobody reads holds up no call, and every record is there or counted as dropped once it is read", async () => {
    const service = await startFaulty(runtime, { pack, isUnread: true });
    await service.untilReady();
    const ids: string[] = [];
    for (let call = 0; call < 40; call++) ids.push(await callLogs(service, 80));
    service.readStderr();
    const { count } = await service.records.event("records-dropped");
    ids.push(await callLogs(service, 1));
    await service.records.call(ids.at(-1) as string);
    service.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(packRecords(service).length + Number(count)).toBe(40 * 81 + 2);
    const lines = service.stderr().split("\n").filter(Boolean);
    expect(lines.flatMap((line) => recordProblems(line))).toEqual([]);
  });

  test("a reader that is late: SIGTERM waits for it, and no record is lost", async () => {
    const service = await startFaulty(runtime, { pack, isUnread: true });
    await service.untilReady();
    for (let call = 0; call < 4; call++) await callLogs(service, 50);
    service.kill("SIGTERM");
    service.readStderr();
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(packRecords(service).length).toBe(4 * 51);
    expect(service.records.all.at(-1)?.event).toBe("stopped");
  });

  test("pack code that ends the process while nobody reads does end it", async () => {
    const service = await startFaulty(runtime, { pack, isUnread: true });
    await service.untilReady();
    await callLogs(service, 50);
    // A reader that hasn't read for so long is none.
    for (const end = Date.now() + 500; Date.now() < end;) await service.client.ready();
    const call = service.client.invoke("exits", {}, { ctx: nextContext() });
    await expect(call).rejects.toMatchObject({ code: "network-failed" });
    expect(await service.exited).toEqual({ code: 3, signal: null });
  });

  // Deno lets no pack write to a device, which stands for the disk here.
  test.skipIf(runtime === "deno")(
    "a pack that finds its disk full has failed its call, and no more",
    async () => {
      const service = await startFaulty(runtime, { pack });
      await service.untilReady();
      const outcome = await service.client.invoke("writes", {}, { ctx: nextContext() });
      expect(outcome).toMatchObject({ ok: false, code: "handler-throw" });
      expect(JSON.stringify(outcome)).toMatch(/ENOSPC|No space left/);
      await callLogs(service, 1);
      service.kill("SIGTERM");
      expect(await service.exited).toEqual({ code: 0, signal: null });
    },
  );
});
