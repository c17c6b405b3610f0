import { expect } from "vitest";
import type { LogRecord } from "../../../src/records.ts";
import { failure, output } from "../answer.ts";
import { unique } from "../case.ts";
import type { Case } from "../case.ts";
import { callTool, checkInvoke, hold, invoke } from "../messages.ts";

/** Late enough for a call to have begun on a busy machine. */
const SOON = { "kindgi-timeout-ms": "300" };

export const deadlineCases: readonly Case[] = [
  {
    id: "6-deadline",
    title: "at the deadline the signal aborts with a TimeoutError and the answer is out",
    verifies: ["6.abort", "6.at-once", "2.deadline-exceeded", "1.timeout", "2.subject"],
    async run({ service }) {
      const running = await service();
      const message = invoke("hold");
      const { requestId } = message.ctx;
      const answer = await running.send({ body: message, headers: SOON });
      expect(failure(answer, "deadline-exceeded").toolId).toBe("hold");
      expect(await running.records.logged(requestId, "entered")).toMatchObject({
        abortedAtStart: false,
      });
      expect(await running.records.logged(requestId, "aborted")).toMatchObject({
        reason: "TimeoutError",
        isDomException: true,
      });
      expect(await running.records.call(requestId)).toMatchObject({
        outcome: "deadline-exceeded",
        level: "warn",
      });
    },
  },
  {
    id: "6-deadline-deaf",
    title: "a handler that doesn't listen and never settles is answered all the same",
    verifies: ["6.at-once", "2.deadline-exceeded", "6.slot-free"],
    async run({ start }) {
      const service = await start({ maxConcurrency: 1 });
      for (let calls = 0; calls < 2; calls++) {
        failure(await callTool(service, "deaf", {}, { headers: SOON }), "deadline-exceeded");
      }
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "6-deadline-check",
    title: "a check has a deadline and a signal, too",
    verifies: ["6.abort", "2.deadline-exceeded", "2.subject"],
    async run({ service }) {
      const answer = await (
        await service()
      ).send({ body: checkInvoke("check-hold"), headers: SOON });
      expect(failure(answer, "deadline-exceeded").checkId).toBe("check-hold");
    },
  },
  {
    id: "6-deadline-after-another",
    title: "a call has its deadline whatever becomes of those that run beside it",
    verifies: ["6.at-once", "2.deadline-exceeded"],
    async run({ service }) {
      const running = await service();
      const sooner = { "kindgi-timeout-ms": "2000" };
      const later = { "kindgi-timeout-ms": "2001" };
      const [paused, deaf] = await Promise.all([
        callTool(running, "pause", {}, { headers: sooner }),
        callTool(running, "deaf", {}, { headers: later }),
      ]);
      output(paused);
      failure(deaf, "deadline-exceeded");
      failure(await callTool(running, "deaf", {}, { headers: SOON }), "deadline-exceeded");
    },
  },
  ...[false, true].map((fails): Case => ({
    id: `6-late-${fails ? "rejects" : "resolves"}`,
    title: `a handler that ${fails ? "rejects" : "resolves"} later is noted once, and its value is not the answer`,
    verifies: ["6.late", "6.at-once"],
    async run({ service }) {
      const running = await service();
      const message = invoke("late", { fails });
      const { requestId } = message.ctx;
      failure(await running.send({ body: message, headers: SOON }), "deadline-exceeded");
      const isOf = (record: LogRecord) => record.requestId === requestId;
      const late = await running.records.event("handler-finished-late", isOf);
      expect(late).toMatchObject({ afterMs: expect.any(Number), toolId: "late" });
      expect(late.afterMs).toBeGreaterThanOrEqual(0);
      output(await callTool(running, "echo"));
      expect(
        running.records.count((record) => isOf(record) && record.event === "handler-finished-late"),
      ).toBe(1);
      expect(running.records.count((record) => isOf(record) && record.event === "call")).toBe(1);
    },
  })),
  {
    id: "6-block",
    title: "a handler that blocks the thread past its deadline has exceeded it",
    verifies: ["6.block", "2.deadline-exceeded"],
    async run({ start }) {
      const service = await start();
      const headers = { "kindgi-timeout-ms": "40" };
      failure(await callTool(service, "block", { blockMs: 200 }, { headers }), "deadline-exceeded");
      output(await callTool(service, "block", { blockMs: 1 }));
    },
  },
  {
    id: "6-cancelled-late",
    title: "a call that its caller has left ends once, as cancelled",
    verifies: ["6.disconnect", "6.at-once", "6.late", "2.cancelled"],
    async run({ service }) {
      const running = await service();
      const requestId = unique("left");
      const caller = new AbortController();
      const answer = running.send({
        body: invoke("late", {}, { requestId }),
        signal: caller.signal,
      });
      answer.catch(() => {});
      await running.records.logged(requestId, "entered");
      caller.abort();
      expect(await running.records.call(requestId)).toMatchObject({ outcome: "cancelled" });
      await running.records.event(
        "handler-finished-late",
        (record) => record.requestId === requestId,
      );
    },
  },
  {
    id: "6-cancelled-answer",
    title: "a cancelled call's promise gives the cancelled message",
    verifies: ["2.cancelled", "6.at-once"],
    needs: "in-process",
    async run({ service }) {
      const held = await hold(await service());
      held.hangUp();
      expect(failure(await held.answer, "cancelled").toolId).toBe("hold");
    },
  },
];
