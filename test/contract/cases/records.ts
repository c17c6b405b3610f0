import { expect } from "vitest";
import type { LogRecord } from "../../../src/records.ts";
import { failure, output } from "../answer.ts";
import { unique } from "../case.ts";
import type { Case } from "../case.ts";
import { callTool, checkInvoke, invoke } from "../messages.ts";
import { stderrProblems } from "../process.ts";
import { recordProblems } from "../record-shape.ts";
import type { Service } from "../target.ts";

const FIRST = ["time", "level", "severity", "subsystem", "message"];

/** Runs the fixture's `log` tool and resolves with what it has logged. */
async function runLog(
  service: Service,
  ctx: object = {},
  input: object = {},
): Promise<LogRecord[]> {
  const message = invoke("log", input, ctx);
  const { requestId } = message.ctx;
  output(await service.send({ body: message }));
  await service.records.call(requestId);
  return service.records.all.filter((record) => record.requestId === requestId);
}

export const recordCases: readonly Case[] = [
  {
    id: "8-call",
    title: "a call is one record",
    verifies: ["8.call", "8.call-level", "8.order", "8.event-kind"],
    async run({ service }) {
      const { records, send } = await service();
      const body = invoke("echo", {}, { projectId: "project-1", orgId: "org-1" });
      const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
      output(await send({ body, headers: { traceparent } }));
      const record = await records.call(body.ctx.requestId);
      expect(record).toMatchObject({
        level: "info",
        severity: "INFO",
        subsystem: "pack",
        traceId: "a".repeat(32),
        requestId: body.ctx.requestId,
        tenantId: "tenant-1",
        projectId: "project-1",
        orgId: "org-1",
        runId: "run-1",
        toolId: "echo",
        event: "call",
        kind: "call",
        target: "tool",
        id: "echo",
        outcome: "ok",
        durationMs: expect.any(Number),
      });
      const ids = [
        "traceId",
        "spanId",
        "requestId",
        "tenantId",
        "projectId",
        "orgId",
        "runId",
        "toolId",
      ];
      const own = ["event", "kind", "target", "id", "outcome", "durationMs"];
      expect(Object.keys(record).slice(0, 13)).toEqual([...FIRST, ...ids]);
      expect(Object.keys(record).slice(13)).toEqual(expect.arrayContaining(own));
      expect(
        records.count(
          ({ event, requestId }) => event === "call" && requestId === body.ctx.requestId,
        ),
      ).toBe(1);
    },
  },
  {
    id: "8-call-check",
    title: "a check's call is a record, too",
    verifies: ["8.call", "8.call-level"],
    async run({ service }) {
      const { records, send } = await service();
      const requestId = unique("check");
      const headers = { "kindgi-request-id": requestId };
      failure(
        await send({ body: checkInvoke("check-returns", { name: "throw" }), headers }),
        "handler-throw",
      );
      expect(await records.call(requestId)).toMatchObject({
        level: "warn",
        severity: "WARNING",
        checkId: "check-returns",
        target: "check",
        id: "check-returns",
        outcome: "handler-throw",
      });
    },
  },
  {
    id: "8-call-unbound",
    title: "a call that found no tool is a record with its code",
    verifies: ["8.call", "8.call-level"],
    async run({ service }) {
      const { records, send } = await service();
      const requestId = unique("unbound");
      const headers = { "kindgi-request-id": requestId };
      failure(await send({ body: invoke("nothing", {}, { requestId }) }), "tool-not-in-pack");
      expect(await records.call(requestId)).toMatchObject({
        level: "warn",
        outcome: "tool-not-in-pack",
        id: "nothing",
      });
      const broken = unique("broken");
      failure(
        await send({ body: "{", headers: { ...headers, "kindgi-request-id": broken } }),
        "malformed-message",
      );
      expect(await records.call(broken)).toMatchObject({
        level: "warn",
        outcome: "malformed-message",
      });
    },
  },
  {
    id: "8-log",
    title: "ctx.log writes under its subsystem with the call's ids and its fields",
    verifies: ["8.log", "8.order", "4.log"],
    async run({ service }) {
      const running = await service();
      const seen = await runLog(running);
      const levels = seen.filter((record) => record.message.startsWith("at "));
      expect(levels.map(({ level }) => level)).toEqual(["error", "warn", "info"]);
      for (const record of levels) {
        expect(record).toMatchObject({
          subsystem: "pack.tool",
          tenantId: "tenant-1",
          runId: "run-1",
          toolId: "log",
        });
      }
      expect(seen.find(({ message }) => message === "from a child")).toMatchObject({
        a: 1,
        b: 2,
        c: 3,
      });
      for (const record of seen) expect(recordProblems(JSON.stringify(record))).toEqual([]);
    },
  },
  {
    id: "8-log-odd",
    title: "fields of any kind make a record, and none takes a fixed member's place",
    verifies: ["8.log", "8.order", "8.line"],
    async run({ service }) {
      const seen = await runLog(await service());
      const odd = seen.find(({ message }) => message === "odd fields");
      expect(odd).toMatchObject({ toolId: "log" });
      expect(odd?.time).toMatch(/^\d{4}-/);
      expect(recordProblems(JSON.stringify(odd))).toEqual([]);
    },
  },
  {
    id: "8-redaction",
    title: "what has a telling name is redacted, at any depth; Bearer and URL passwords are masked",
    verifies: ["8.redaction"],
    async run({ service }) {
      const seen = await runLog(await service());
      const record = seen.find(({ message }) => message === "redacted");
      const redacted = "[redacted]";
      expect(record).toMatchObject({
        Authorization: redacted,
        "x-api_key": redacted,
        nested: [{ db: { "Db-Password": redacted } }],
        userToken: redacted,
        session_cookie: redacted,
        passwd: redacted,
        clientSecret: redacted,
        Secrets: redacted,
        privateKey: redacted,
        passphrase: redacted,
        credential: redacted,
        awsCredentials: redacted,
        kept: "kept",
        tokens: 15,
      });
      expect(record?.header).toMatch(/^Bearer /);
      expect(record?.url).toMatch(/^postgres:\/\/user:.*@db\.test\/x$/);
      expect(JSON.stringify(record)).not.toMatch(/\w+-secret/);
    },
  },
  {
    id: "8-no-secrets",
    title: "the call's secrets are in no line, wherever they are logged or thrown",
    verifies: ["8.no-secrets"],
    async run({ service }) {
      const running = await service();
      const secret = "call-secret-value-42";
      const seen = await runLog(running, {
        secrets: { API_KEY: secret, deep: { list: [secret] } },
      });
      expect(seen.find(({ message }) => message.startsWith("in a message"))).toBeDefined();
      expect(JSON.stringify(running.records.all)).not.toContain(secret);
    },
  },
  {
    id: "8-lines",
    title: "each line of a process is a record, in order, and none holds the token",
    verifies: ["8.line", "8.order", "8.no-secrets", "8.lifecycle"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      output(await callTool(service, "echo"));
      await runLog(service);
      failure(await callTool(service, "throws", { name: "error" }), "handler-throw");
      await service.send({ body: "{", headers: { "kindgi-request-id": `${"i".repeat(5_000)}` } });
      await service.send({ path: "/v1/info", headers: { "kindgi-pack-token": "wrong" } });
      service.signal("SIGTERM");
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expect(stderrProblems(service)).toEqual([]);
      const events = service.records.all
        .map((record) => record.event)
        .filter((event) => event !== "call");
      expect(events).toEqual(expect.arrayContaining(["listening", "draining", "stopped"]));
    },
  },
  {
    id: "8-batched",
    title: "a burst of records arrives whole and in order, the last one before the exit included",
    verifies: ["8.batched", "8.line"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const lines = 5_000;
      const message = invoke("burst", { lines });
      output(await service.send({ body: message }));
      service.signal("SIGTERM");
      expect(await service.exited).toEqual({ code: 0, signal: null });
      const burst = service.records.all.filter((record) => record.message === "burst");
      expect(burst.map((record) => record.i)).toEqual(Array.from({ length: lines }, (_, i) => i));
      expect(service.records.all.at(-1)?.event).toBe("stopped");
      expect(stderrProblems(service)).toEqual([]);
    },
  },
];
