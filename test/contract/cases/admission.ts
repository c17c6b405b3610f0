import { expect } from "vitest";
import { json, output, refusal } from "../answer.ts";
import { unique } from "../case.ts";
import type { AnyContext, Case } from "../case.ts";
import { createHandler, serviceOver } from "../in-process.ts";
import { callTool, hold, invoke, release, untilOverloaded } from "../messages.ts";
import { fixtureIndex } from "../packs.ts";
import type { CaseRequest, Service, StartOptions } from "../target.ts";

/** A call that is wrong in what the media type and the size are about. */
const WRONG_CALL: CaseRequest = { headers: { "content-type": "text/plain" }, body: "x" };

const GATE_REQUESTS: readonly CaseRequest[] = [
  { path: "/readyz" },
  { body: invoke("echo") },
  WRONG_CALL,
];

/** All at once, since a service drains for 8 s only. */
async function expectRefused(service: Service, body: object): Promise<void> {
  const answers = await Promise.all(GATE_REQUESTS.map((request) => service.send(request)));
  for (const answer of answers) {
    expect(refusal(answer, 503)).toEqual(body);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
}

const MISSING: StartOptions = {
  pack: {
    index: {
      ...fixtureIndex(),
      env: { required: ["ZULU_NAME", "ALPHA_NAME", "EMPTY_NAME", "SET_NAME"] },
    },
  },
  env: { SET_NAME: "set-value", EMPTY_NAME: "" },
};
const MISSING_NAMES = ["ALPHA_NAME", "EMPTY_NAME", "ZULU_NAME"];

/** Fills a service of cap 1. */
async function full({ start }: AnyContext) {
  const service = await start({ maxConcurrency: 1 });
  return { service, held: await hold(service) };
}

export const admissionCases: readonly Case[] = [
  {
    id: "1-503-draining",
    title: "a draining service refuses calls, and says what it is still asked",
    verifies: [
      "1.503-draining",
      "1.503-retry",
      "1.503-readyz",
      "1.info-always",
      "1.healthz",
      "1.503-not-run",
      "1.order",
    ],
    async run({ start }) {
      const service = await start();
      const held = await hold(service);
      service.drain();
      await service.records.event("draining");
      const refused = invoke("log");
      const [withoutToken, info, health, call] = await Promise.all([
        service.send({ headers: { "kindgi-pack-token": null }, body: "" }),
        service.send({ path: "/v1/info" }),
        service.send({ path: "/healthz" }),
        service.send({ body: refused }),
        expectRefused(service, { error: "draining" }),
      ]);
      expect([withoutToken.status, info.status]).toEqual([401, 200]);
      expect(json(health)).toEqual({ status: "ok" });
      refusal(call, 503);
      held.hangUp();
      await service.records.call(held.requestId);
      await service.stop();
      const { requestId } = refused.ctx;
      expect(service.records.count((record) => record.requestId === requestId)).toBe(0);
    },
  },
  {
    id: "1-503-missing-env",
    title: "under the strict check a missing name keeps the service from being ready",
    verifies: [
      "1.503-missing-env",
      "1.503-retry",
      "1.503-readyz",
      "1.info-always",
      "2.info",
      "8.names",
      "1.order",
    ],
    async run({ service }) {
      const running = await service(MISSING);
      await expectRefused(running, { error: "missing env", missingEnv: MISSING_NAMES });
      expect(json(await running.send({ path: "/v1/info" })).missingEnv).toEqual(MISSING_NAMES);
      expect(await running.records.event("missing-env")).toMatchObject({ names: MISSING_NAMES });
    },
  },
  {
    id: "1-503-missing-env-warn",
    title: "under the lax check a missing name is told and no more",
    verifies: ["1.503-missing-env", "2.info", "7.env-check", "8.names"],
    async run({ service }) {
      const running = await service({ ...MISSING, envCheck: "warn" });
      expect((await running.send({ path: "/readyz" })).status).toBe(200);
      output(await callTool(running, "echo"));
      expect(json(await running.send({ path: "/v1/info" })).missingEnv).toEqual(MISSING_NAMES);
      expect(await running.records.event("missing-env")).toMatchObject({ names: MISSING_NAMES });
    },
  },
  {
    id: "1-503-order",
    title: "draining comes before missing env",
    verifies: ["1.503-order"],
    needs: "in-process",
    async run({ start }) {
      const service = await start(MISSING);
      service.drain();
      await expectRefused(service, { error: "draining" });
    },
  },
  {
    id: "1-503-order-missing-env",
    title: "missing env comes before not ready",
    verifies: ["1.503-order"],
    needs: "in-process",
    async run() {
      const { handler, records } = await failedHandler(MISSING);
      await expectRefused(serviceOver(handler, records), {
        error: "missing env",
        missingEnv: MISSING_NAMES,
      });
    },
  },
  {
    id: "1-503-not-ready",
    title: "a service whose modules didn't load is not ready, and answers info",
    verifies: [
      "1.503-not-ready",
      "1.readyz",
      "1.info-always",
      "1.503-readyz",
      "1.503-retry",
      "2.handler-import-failed",
    ],
    needs: "in-process",
    async run() {
      const { handler, records } = await failedHandler({});
      const service = serviceOver(handler, records);
      await expectRefused(service, { error: "not ready" });
      expect((await service.send({ path: "/v1/info" })).status).toBe(200);
      expect(await records.event("boot-failed")).toMatchObject({
        problems: [expect.stringContaining("broken.mjs")],
      });
    },
  },
  {
    id: "1-503-overloaded",
    title: "at the cap a call is refused, did not run, and the service is still ready",
    verifies: [
      "1.503-overloaded",
      "1.503-retry",
      "1.503-readyz",
      "1.503-not-run",
      "1.order",
      "6.slot-free",
      "7.cap",
    ],
    async run(context) {
      const { service, held } = await full(context);
      expect((await service.send({ path: "/readyz" })).status).toBe(200);
      expect((await service.send({ path: "/v1/info" })).status).toBe(200);
      expect(refusal(await service.send(WRONG_CALL), 503)).toEqual({ error: "overloaded" });
      const refused = invoke("log");
      expect(refusal(await service.send({ body: refused }), 503)).toEqual({ error: "overloaded" });
      expect(
        (await service.send({ body: "", headers: { "kindgi-pack-token": "wrong" } })).status,
      ).toBe(401);
      held.hangUp();
      await service.records.call(held.requestId);
      output(await callTool(service, "echo"));
      expect(service.records.count((record) => record.requestId === refused.ctx.requestId)).toBe(0);
    },
  },
  {
    id: "1-503-draining-first",
    title: "draining comes before overloaded",
    verifies: ["1.503-order"],
    async run(context) {
      const { service, held } = await full(context);
      service.drain();
      await service.records.event("draining");
      expect(refusal(await service.send({ body: invoke("echo") }), 503)).toEqual({
        error: "draining",
      });
      held.hangUp();
    },
  },
  {
    id: "6-default-cap",
    title: "32 calls run side by side, one more is refused, and each slot comes back",
    verifies: ["6.cap", "6.slot-free"],
    async run({ start }) {
      const service = await start();
      const held = await Promise.all(Array.from({ length: 32 }, () => hold(service)));
      expect(refusal(await callTool(service, "echo"), 503)).toEqual({ error: "overloaded" });
      const [first, ...others] = held;
      first?.hangUp();
      await service.records.call(first?.requestId ?? "");
      // A release needs a slot, and gives two back.
      for (let at = 0, free = 1; at < others.length; at += free, free *= 2) {
        const batch = others.slice(at, at + free);
        await Promise.all(batch.map((call) => release(service, call)));
      }
      for (const call of others) expect(output(await call.answer)).toEqual({ released: true });
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "6-slot-before-body",
    title: "a call has its slot before its body is read, and a refused one takes none",
    verifies: ["6.slot-taken"],
    async run({ start }) {
      const service = await start({ maxConcurrency: 1 });
      const requestId = unique("upload");
      const message = new TextEncoder().encode(JSON.stringify(invoke("echo", {}, { requestId })));
      let finishUpload: () => void = () => {};
      const finished = new Promise<void>((resolve) => {
        finishUpload = resolve;
      });
      async function* upload() {
        yield message.slice(0, 5);
        await finished;
        yield message.slice(5);
      }
      expect((await service.send(WRONG_CALL)).status).toBe(415);
      const uploading = service.send({ body: upload });
      uploading.catch(() => {});
      await untilOverloaded(service);
      finishUpload();
      output(await uploading);
      output(await callTool(service, "echo"));
    },
  },
];

function failedHandler(options: StartOptions) {
  const { index } = options.pack ?? {};
  return createHandler({
    ...options,
    lazy: true,
    pack: {
      index: { ...fixtureIndex(), ...(index as object), tools: [brokenTool], guardrails: [] },
      files: { "broken.mjs": "throw new Error('broken on import');" },
    },
  });
}

const brokenTool = { id: "broken", input: {}, output: {}, modulePath: "broken.mjs" };
