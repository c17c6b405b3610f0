import { expect } from "vitest";
import { output, refusal } from "../answer.ts";
import type { Case } from "../case.ts";
import { callTool, hold, holdWithRelease, invoke } from "../messages.ts";
import { stderrProblems } from "../process.ts";

export const faultCases: readonly Case[] = [
  {
    id: "7-uncaught-exception",
    title: "a timer's throw loses no call in flight; then the process exits with 1",
    verifies: ["7.pack-fault", "7.exception", "8.event-kind"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await holdWithRelease(service);
      output(await callTool(service, "faults", { name: "timer throw" }));
      const record = await service.records.event("pack-fault");
      expect(record).toMatchObject({ kind: "pack-fault", level: "error" });
      expect(JSON.stringify(record)).toContain("thrown in a timer");
      await service.records.event("draining");
      expect(refusal(await service.send({ path: "/readyz" }), 503)).toEqual({ error: "draining" });
      held.finish();
      expect(output(await held.answer)).toEqual({ released: true });
      expect(await service.exited).toEqual({ code: 1, signal: null });
      expect(service.records.all.at(-1)?.event).toBe("stopped");
      expect(stderrProblems(service)).toEqual([]);
    },
  },
  ...["floating rejection", "floating rejection of undefined"].map((name): Case => ({
    id: `7-${name}`,
    title: `after a ${name} the service goes on`,
    verifies: ["7.pack-fault", "7.rejection"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await holdWithRelease(service);
      output(await callTool(service, "faults", { name }));
      expect(await service.records.event("pack-fault")).toMatchObject({
        kind: "pack-fault",
        level: "error",
      });
      expect((await service.send({ path: "/readyz" })).status).toBe(200);
      output(await callTool(service, "echo"));
      held.finish();
      expect(output(await held.answer)).toEqual({ released: true });
      service.signal("SIGTERM");
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expect(stderrProblems(service)).toEqual([]);
    },
  })),
  ...["half a line", "half a line of its own after", "a line"].map((name): Case => ({
    id: `8-stderr-${name}`,
    title: `pack code that writes ${name} to stderr breaks no record`,
    verifies: ["8.fresh-line", "8.line"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const messages = Array.from({ length: 5 }, () => invoke("faults", { name }));
      for (const body of messages) output(await service.send({ body }));
      for (const { ctx } of messages) {
        expect(await service.records.call(ctx.requestId)).toMatchObject({ outcome: "ok" });
      }
      service.signal("SIGTERM");
      expect(await service.exited).toEqual({ code: 0, signal: null });
      const own = [
        "half a line without an end",
        "a line of the pack's own",
        '{"looks":"like a record"',
      ];
      const others = stderrProblems(service).filter(
        (problem) => !own.some((text) => problem.includes(text)),
      );
      expect(others).toEqual([]);
    },
  })),
  {
    id: "7-fault-twice",
    title: "a second fault while draining changes nothing",
    verifies: ["7.exception", "7.pack-fault"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await hold(service);
      output(await callTool(service, "faults", { name: "two timer throws" }));
      await service.records.event("draining");
      held.hangUp();
      expect(await service.exited).toEqual({ code: 1, signal: null });
      expect(service.records.count(({ event }) => event === "pack-fault")).toBe(2);
      expect(service.records.count(({ event }) => event === "draining")).toBe(1);
    },
  },
];
