import { once } from "node:events";
import { expect } from "vitest";
import { failure, output, refusal } from "../answer.ts";
import type { Case } from "../case.ts";
import { hold, holdWithRelease, invoke } from "../messages.ts";
import { stderrProblems } from "../process.ts";
import { TOKEN } from "../target.ts";
import type { ProcessService, Service } from "../target.ts";

const HEALTH = "GET /healthz HTTP/1.1\r\nhost: pack.test\r\n\r\n";

/** Connections that have served a request and stay open. */
async function idleConnections(service: ProcessService, count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => service.connect()));
  await Promise.all(
    sockets.map(async (socket) => {
      socket.write(HEALTH);
      await once(socket, "data");
    }),
  );
  return sockets;
}

function expectCleanEnd(service: ProcessService): void {
  expect(service.records.count(({ event }) => event === "draining")).toBe(1);
  expect(service.records.count(({ event }) => event === "stopped")).toBe(1);
  expect(service.records.all.at(-1)?.event).toBe("stopped");
  expect(stderrProblems(service)).toEqual([]);
}

async function expectDraining(service: Service): Promise<void> {
  await service.records.event("draining");
  const answer = await service.send({ body: invoke("echo") });
  expect(refusal(answer, 503)).toEqual({ error: "draining" });
}

export const drainCases: readonly Case[] = [
  ...(["SIGTERM", "SIGINT"] as const).map((signal): Case => ({
    id: `7-drain-${signal}`,
    title: `${signal} drains: new connections get 503, the call in flight its answer, the exit code is 0`,
    verifies: ["7.drain", "1.503-draining", "8.event-kind", "7.drain-close"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await holdWithRelease(service);
      service.signal(signal);
      await expectDraining(service);
      const refused = await service.send({ path: "/readyz" });
      expect(refused.headers.get("connection")).toMatch(/\bclose\b/);
      held.finish();
      expect(output(await held.answer)).toEqual({ released: true });
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expectCleanEnd(service);
      expect(await service.records.event("draining")).toMatchObject({
        kind: "draining",
        level: "info",
      });
    },
  })),
  {
    id: "7-drain-finishes",
    title: "a draining handler lets its calls finish",
    verifies: ["7.drain"],
    needs: "in-process",
    async run({ start }) {
      const service = await start();
      const held = await holdWithRelease(service);
      service.drain();
      await expectDraining(service);
      held.finish();
      expect(output(await held.answer)).toEqual({ released: true });
    },
  },
  {
    id: "7-drain-grace",
    title: "after 8 s a call that still runs is cancelled, answered, and the exit code is 0",
    verifies: ["7.drain-grace", "2.cancelled", "6.abort"],
    async run({ start }) {
      const service = await start();
      const held = await hold(service);
      const deaf = service.send({ body: invoke("deaf") });
      deaf.catch(() => {});
      await service.records.waitFor(
        "a deaf call",
        ({ message, toolId }) => message === "entered" && toolId === "deaf",
      );
      service.drain();
      await service.records.event("draining");
      expect(failure(await held.answer, "cancelled").toolId).toBe("hold");
      expect(failure(await deaf, "cancelled").toolId).toBe("deaf");
      expect(await service.records.logged(held.requestId, "aborted")).toMatchObject({
        reason: "AbortError",
      });
      if ("exited" in service) {
        expect(await (service as ProcessService).exited).toEqual({ code: 0, signal: null });
        expectCleanEnd(service as ProcessService);
      }
    },
  },
  {
    id: "7-drain-idle",
    title: "idle connections don't hold up the exit",
    verifies: ["7.drain-idle", "7.drain"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const sockets = await idleConnections(service, 5);
      const untouched = await service.connect();
      service.signal("SIGTERM");
      // The bound is the drain's own: what waits for an idle connection ends after the 8 s.
      const end = Date.now() + 7_500;
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expect(Date.now()).toBeLessThan(end);
      expectCleanEnd(service);
      for (const socket of [...sockets, untouched]) socket.destroy();
    },
  },
  {
    id: "7-drain-close",
    title: "on a kept connection a draining service asks for its close",
    verifies: ["7.drain-close", "7.drain"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await hold(service);
      const [socket] = await idleConnections(service, 1);
      service.signal("SIGTERM");
      await service.records.event("draining");
      socket?.write(HEALTH);
      let received = "";
      socket?.on("data", (data) => {
        received += data;
      });
      if (socket && !socket.destroyed) await once(socket, "close");
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
      expect(received).toMatch(/^connection: close\r?$/im);
      held.hangUp();
      expect(await service.exited).toEqual({ code: 0, signal: null });
    },
  },
  {
    id: "7-drain-large-answer",
    title: "a large answer to a slow reader is whole when the process ends",
    verifies: ["7.drain"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const body = JSON.stringify(invoke("echo", "y".repeat(5_000_000)));
      const socket = await service.connect();
      const lines = ["POST /v1/invoke HTTP/1.1", "host: pack.test", `kindgi-pack-token: ${TOKEN}`];
      socket.write(
        `${lines.join("\r\n")}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      let received = "";
      const [first] = await once(socket, "data");
      received += first;
      socket.pause();
      service.signal("SIGTERM");
      await service.records.event("draining");
      socket.on("data", (data) => {
        received += data;
      });
      socket.resume();
      expect(await service.exited).toEqual({ code: 0, signal: null });
      if (!socket.closed) await once(socket, "close");
      const [headText = "", ...rest] = received.split("\r\n\r\n");
      expect(rest.join("").length).toBe(Number(/content-length: (\d+)/i.exec(headText)?.[1]));
      expect(rest.join("").length).toBeGreaterThan(5_000_000);
    },
  },
  {
    id: "7-more-sigterm",
    title: "further SIGTERMs, 50 ms apart, change nothing",
    verifies: ["7.more-sigterm", "7.drain"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await hold(service);
      service.signal("SIGTERM");
      await service.records.event("draining");
      for (let signals = 0; signals < 3; signals++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        service.signal("SIGTERM");
      }
      await expectDraining(service);
      held.hangUp();
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expectCleanEnd(service);
    },
  },
  {
    id: "7-second-sigint",
    title: "a second Ctrl-C exits at once, not with 0",
    verifies: ["7.second-sigint"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      await hold(service);
      service.signal("SIGINT");
      await service.records.event("draining");
      await new Promise((resolve) => setTimeout(resolve, 400));
      const end = Date.now() + 7_000;
      service.signal("SIGINT");
      const { code, signal } = await service.exited;
      expect(code === 0 && signal === null).toBe(false);
      expect(Date.now()).toBeLessThan(end);
    },
  },
  {
    id: "7-early-second-sigint",
    title: "a second SIGINT within 300 ms is the first delivered twice",
    verifies: ["7.second-sigint"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await hold(service);
      service.signal("SIGINT");
      service.signal("SIGINT");
      await expectDraining(service);
      held.hangUp();
      expect(await service.exited).toEqual({ code: 0, signal: null });
    },
  },
  {
    id: "7-sigterm-then-sigint",
    title: "a SIGINT after a SIGTERM is a first one",
    verifies: ["7.more-sigterm", "7.second-sigint"],
    needs: "process",
    async run({ start }) {
      const service = await start();
      const held = await hold(service);
      service.signal("SIGTERM");
      await service.records.event("draining");
      service.signal("SIGINT");
      await expectDraining(service);
      held.hangUp();
      expect(await service.exited).toEqual({ code: 0, signal: null });
    },
  },
];
