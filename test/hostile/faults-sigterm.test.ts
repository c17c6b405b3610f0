import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { indexOf, tool } from "../contract/packs.ts";
import { recordProblems } from "../contract/record-shape.ts";
import { invoke } from "../contract/messages.ts";
import { TOKEN } from "../contract/target.ts";
import { RUNTIMES, startFaulty } from "./faults-service.ts";
import type { FaultyService } from "./faults-service.ts";

const ANSWER_LENGTH = 8_000_000;

const pack = {
  index: indexOf({ tools: [tool("waits", "waits.mjs"), tool("long", "long.mjs")] }),
  files: {
    "waits.mjs": `export default ({ ms }, { log }) => {
        log.info("entered");
        return new Promise((resolve) => setTimeout(resolve, ms, "waited"));
      };`,
    "long.mjs": `export default (input, { log }) => {
        log.info("entered");
        return "y".repeat(${ANSWER_LENGTH});
      };`,
  },
};

function requestBytes(id: string, input: object): { head: string; body: string } {
  const body = JSON.stringify(invoke(id, input));
  const lines = ["POST /v1/invoke HTTP/1.1", "host: pack.test", `kindgi-pack-token: ${TOKEN}`];
  lines.push("content-type: application/json", `content-length: ${body.length}`);
  return { head: `${lines.join("\r\n")}\r\n\r\n`, body };
}

/** All that comes on a connection, to its end. */
function receive(socket: Socket): Promise<string> {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  return once(socket, "close").then(() => received);
}

/** The body of the one answer that came, whole. */
function wholeBody(received: string): string {
  const end = received.indexOf("\r\n\r\n");
  const length = /^content-length: (\d+)\r?$/im.exec(received.slice(0, end))?.[1];
  const body = received.slice(end + 4);
  expect(body.length).toBe(Number(length));
  return body;
}

/** A drain that has left nothing behind: every line a record, one end, exit code 0. */
async function expectCleanEnd(service: FaultyService): Promise<void> {
  expect(await service.exited).toEqual({ code: 0, signal: null });
  const events = service.records.all.map(({ event }) => event);
  expect(events.filter((event) => event === "draining" || event === "stopped")).toEqual([
    "draining",
    "stopped",
  ]);
  expect(events.at(-1)).toBe("stopped");
  const lines = service.stderr().split("\n").filter(Boolean);
  expect(lines.flatMap((line) => recordProblems(line))).toEqual([]);
}

async function startListening(runtime: (typeof RUNTIMES)[number]): Promise<FaultyService> {
  const service = await startFaulty(runtime, { pack });
  await service.records.event("listening");
  return service;
}

describe.each(RUNTIMES)("SIGTERM, %s", (runtime) => {
  test.each([0, 1, 30])(
    "after %i bytes of a request's head: the drain waits for no more of them",
    async (bytes) => {
      const service = await startListening(runtime);
      const socket = await service.connect();
      const received = receive(socket);
      const { head } = requestBytes("waits", { ms: 0 });
      if (bytes > 0) socket.write(head.slice(0, bytes));
      // An answered call, so that the service has read what was sent before it.
      await service.client.ready();
      // The bound is the drain's own: what waits for this connection ends after the 8 s.
      const end = Date.now() + 7_500;
      service.kill("SIGTERM");
      await expectCleanEnd(service);
      expect(Date.now()).toBeLessThan(end);
      // Bun hasn't accepted a connection that has sent nothing: nobody closes it.
      socket.destroy();
      expect(await received).toBe("");
    },
  );

  test("half a head, the rest sent while it drains: a 503", async () => {
    const service = await startListening(runtime);
    const held = await service.connect();
    const heldAnswer = receive(held);
    const call = requestBytes("waits", { ms: 1_000 });
    held.write(call.head + call.body);
    await service.records.waitFor("a call", ({ message }) => message === "entered");
    const socket = await service.connect();
    const received = receive(socket);
    const { head, body } = requestBytes("waits", { ms: 0 });
    socket.write(head.slice(0, 40));
    await service.client.ready();
    service.kill("SIGTERM");
    await service.records.event("draining");
    socket.write(head.slice(40) + body);
    await expectCleanEnd(service);
    expect(wholeBody(await heldAnswer)).toContain("waited");
    const answer = await received;
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(wholeBody(answer)).toBe('{"error":"draining"}');
    expect(service.records.count(({ event }) => event === "call")).toBe(1);
  });

  test("half a body, the rest sent while it drains: the call runs and is answered", async () => {
    const service = await startListening(runtime);
    const socket = await service.connect();
    const received = receive(socket);
    const { head, body } = requestBytes("waits", { ms: 0 });
    socket.write(head + body.slice(0, body.length / 2));
    await service.client.ready();
    service.kill("SIGTERM");
    await service.records.event("draining");
    expect(service.records.count(({ event }) => event === "stopped")).toBe(0);
    socket.write(body.slice(body.length / 2));
    expect(wholeBody(await received)).toContain("waited");
    await expectCleanEnd(service);
    expect(service.records.count(({ outcome }) => outcome === "ok")).toBe(1);
  });

  test("half a body and no more: the call is answered as cancelled when the grace is over", async () => {
    const service = await startListening(runtime);
    const socket = await service.connect();
    const received = receive(socket);
    const { head, body } = requestBytes("waits", { ms: 0 });
    socket.write(head + body.slice(0, body.length / 2));
    await service.client.ready();
    service.kill("SIGTERM");
    await service.records.event("draining");
    await expectCleanEnd(service);
    expect(wholeBody(await received)).toContain('"code":"cancelled"');
    expect(service.records.count(({ outcome }) => outcome === "cancelled")).toBe(1);
  });

  test("while an answer goes out to a reader that takes its time: it goes out whole", async () => {
    const service = await startListening(runtime);
    const socket = await service.connect();
    const { head, body } = requestBytes("long", {});
    socket.write(head + body);
    socket.once("data", () => socket.pause());
    const pieces: Buffer[] = [];
    socket.on("data", (chunk) => pieces.push(chunk));
    await service.records.event("call");
    service.kill("SIGTERM");
    await service.records.event("draining");
    const closed = once(socket, "close");
    const timer = setInterval(() => {
      socket.resume();
      setImmediate(() => socket.pause());
    }, 1);
    await closed;
    clearInterval(timer);
    expect(wholeBody(Buffer.concat(pieces).toString()).length).toBeGreaterThan(ANSWER_LENGTH);
    await expectCleanEnd(service);
  });

  test("a reader that stops reading its answer doesn't hold up the exit for ever", async () => {
    const service = await startListening(runtime);
    const socket = await service.connect();
    const { head, body } = requestBytes("long", {});
    socket.pause();
    socket.write(head + body);
    await service.records.event("call");
    service.kill("SIGTERM");
    await expectCleanEnd(service);
    socket.destroy();
  });

  test("at any moment of the boot: an end at once, and no record that it doesn't keep", async () => {
    const booted = performance.now();
    const first = await startListening(runtime);
    const bootMs = performance.now() - booted;
    first.kill("SIGTERM");
    await expectCleanEnd(first);
    for (let step = 0; step <= 12; step++) {
      const service = await startFaulty(runtime, { pack });
      await new Promise((resolve) => setTimeout(resolve, (bootMs * step) / 10));
      service.kill("SIGTERM");
      const exit = await service.exited;
      const events = service.records.all.map(({ event }) => event);
      const lines = service.stderr().split("\n").filter(Boolean);
      expect(lines.flatMap((line) => recordProblems(line))).toEqual([]);
      // Before the runtime runs any of the service's code, the signal is the kernel's to handle.
      if (exit.signal === "SIGTERM") expect(events).toEqual([]);
      else {
        expect(exit).toEqual({ code: 0, signal: null });
        expect(events.at(-1)).toBe("stopped");
        expect(events.includes("draining")).toBe(events.includes("listening"));
      }
    }
  });
});
