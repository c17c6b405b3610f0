import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { invoke } from "../contract/messages.ts";
import { indexOf, tool } from "../contract/packs.ts";
import { TOKEN } from "../contract/target.ts";
import { nextContext, RUNTIMES, startFaulty } from "./faults-service.ts";
import type { FaultyService } from "./faults-service.ts";

const MEBIBYTE = 1_048_576;
const HEALTH = "GET /healthz HTTP/1.1\r\nhost: pack.test\r\n\r\n";

const pack = {
  index: indexOf({ tools: [tool("length", "length.mjs"), tool("count", "count.mjs")] }),
  files: {
    "length.mjs": "export default ({ text }) => text.length;",
    "count.mjs": "export default ({ items }) => items.length;",
  },
};

/** The head of a call, which its body follows. */
function headOf(bodyBytes: number, ...lines: string[]): string {
  const head = ["POST /v1/invoke HTTP/1.1", "host: pack.test", `kindgi-pack-token: ${TOKEN}`];
  head.push("content-type: application/json", `content-length: ${bodyBytes}`, ...lines);
  return `${head.join("\r\n")}\r\n\r\n`;
}

/** A call of `count` in some 10 MiB, which take several times as much once they are parsed. */
function largeCall(): Buffer {
  const items = Array.from({ length: 300_000 }, (_, id) => ({ id, name: "an item" }));
  return Buffer.from(JSON.stringify(invoke("count", { items })));
}

function write(socket: Socket, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve) => void socket.write(bytes, () => resolve()));
}

/** All that comes on a connection until it is closed. */
async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function openSockets(service: FaultyService, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => service.connect()));
}

async function callLength(service: FaultyService): Promise<void> {
  const outcome = await service.client.invoke("length", { text: "four" }, { ctx: nextContext() });
  expect(outcome).toMatchObject({ ok: true, output: 4 });
}

describe.each(RUNTIMES)("memory and descriptors, %s", (runtime) => {
  test("32 callers who send a body of 10 MiB byte by byte cost memory for what they have sent", async () => {
    const WARM_ROUNDS = 6_000;
    const ROUNDS = 6_000;
    const service = await startFaulty(runtime, { pack });
    await service.untilReady();
    await callLength(service);
    const sockets = await openSockets(service, 32);
    for (const socket of sockets) socket.write(headOf(10 * MEBIBYTE));
    const send = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        for (const socket of sockets) socket.write(" ");
        await turn();
      }
      await service.client.ready();
    };
    // Until then, what grows are the runtime's buffers for a connection.
    await send(WARM_ROUNDS);
    const before = service.residentBytes();
    await send(ROUNDS);
    const growth = service.residentBytes() - before;
    expect(growth / (32 * ROUNDS)).toBeLessThan(100);
    for (const socket of sockets) socket.destroy();
    await callLength(service);
    service.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  test("32 bodies of 10 MiB that end together take less memory than three times their sum", async () => {
    const COUNT = 32;
    const service = await startFaulty(runtime, { pack });
    await service.untilReady();
    const body = largeCall();
    const sockets = await openSockets(service, COUNT);
    const started = Buffer.concat([
      Buffer.from(headOf(body.length, "connection: close")),
      body.subarray(0, -1),
    ]);
    await Promise.all(sockets.map((socket) => write(socket, started)));
    await service.client.ready();
    const answers = sockets.map(readToEnd);
    for (const socket of sockets) socket.write(body.subarray(-1));
    for (const answer of await Promise.all(answers)) expect(answer).toContain('"output":300000');
    expect(service.peakResidentBytes() / (COUNT * body.length)).toBeLessThan(3);
    service.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  test("1,000 idle connections: calls are served, and SIGTERM waits for none of them", async () => {
    const COUNT = 1_000;
    const service = await startFaulty(runtime, { pack });
    await service.untilReady();
    await callLength(service);
    const before = service.residentBytes();
    const sockets = await openSockets(service, COUNT);
    await Promise.all(
      sockets.slice(COUNT / 2).map((socket) => {
        socket.write(HEALTH);
        return once(socket, "data");
      }),
    );
    const growth = service.residentBytes() - before;
    expect(growth).toBeLessThan(COUNT * 65_536);
    await callLength(service);
    // The bound is the drain's own: what waits for an idle connection ends after the 8 s.
    const end = Date.now() + 7_500;
    service.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(Date.now()).toBeLessThan(end);
    for (const socket of sockets) socket.destroy();
  });

  test("with no file descriptors left, calls go on, and new connections are served once there are some", async () => {
    const service = await startFaulty(runtime, { pack, shell: "ulimit -n 100" });
    await service.untilReady();
    const kept = await service.connect();
    kept.write(HEALTH);
    await once(kept, "data");
    let answered = 0;
    const opened = await Promise.allSettled(Array.from({ length: 300 }, () => service.connect()));
    const sockets = opened.flatMap((result) =>
      result.status === "fulfilled" ? [result.value] : [],
    );
    for (const socket of sockets) {
      socket.on("data", () => (answered += 1));
      socket.write(HEALTH);
    }
    kept.write(HEALTH);
    await once(kept, "data");
    for (const socket of sockets) socket.destroy();
    kept.destroy();
    await service.untilReady();
    await callLength(service);
    expect(answered).toBeLessThan(300);
    service.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});
