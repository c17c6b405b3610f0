import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { indexOf, tool } from "../contract/packs.ts";
import { TOKEN } from "../contract/target.ts";
import { nextContext, startFaulty } from "./faults-service.ts";
import type { FaultyService } from "./faults-service.ts";

/** Requests that are sent before the first of them is answered; below the 32 slots. */
const DEPTH = 16;
const WARM_CALLS = 20_000;
/** A busy machine takes long for so many. */
const MAX_MS = 240_000;

const pack = {
  index: indexOf({ tools: [tool("echo", "echo.mjs"), tool("heap", "heap.mjs")] }),
  files: {
    "echo.mjs": "export default ({ id }) => id;",
    "heap.mjs": `const { Bun, gc } = globalThis;
      const heap = Bun ? (await import("bun:jsc")).heapStats : undefined;
      const collect = Bun ? () => Bun.gc(true) : (gc ?? (await nodeCollector()));
      async function nodeCollector() {
        (await import("node:v8")).setFlagsFromString("--expose-gc");
        return (await import("node:vm")).runInNewContext("gc");
      }
      export default async () => {
        for (let round = 0; round < 4; round++) {
          collect();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return heap ? heap().heapSize : process.memoryUsage().heapUsed;
      };`,
  },
};

function requestText(id: number): string {
  const body = `{"v":2,"kind":"invoke","tool":{"id":"echo"},"input":{"id":${id}},"ctx":{"tenantId":"t","runId":"r","requestId":"kept-${id}"}}`;
  const head = `POST /v1/invoke HTTP/1.1\r\nhost: pack.test\r\nkindgi-pack-token: ${TOKEN}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return head + body;
}

/** Makes calls on a connection, a few at once, and takes their answers in turn. Returns the id after the last. */
async function makeCalls(socket: Socket, from: number, count: number): Promise<number> {
  const end = from + count;
  let sent = from;
  let answered = from;
  let text = "";
  const send = () => {
    let requests = "";
    while (sent < end && sent - answered < DEPTH) requests += requestText(sent++);
    socket.write(requests);
  };
  send();
  while (answered < end) {
    const [data] = await once(socket, "data");
    text += data;
    const outputs = [...text.matchAll(/"output":(\d+)\}/g)];
    for (const [, id] of outputs) {
      if (Number(id) !== answered) throw new Error(`the answer of ${id} came for ${answered}`);
      answered += 1;
    }
    const last = outputs.at(-1);
    if (last) text = text.slice(last.index + last[0].length);
    if (sent - answered <= DEPTH / 2) send();
  }
  return end;
}

async function heapBytes({ client }: FaultyService): Promise<number> {
  const outcome = await client.invoke("heap", {}, { ctx: nextContext() });
  return outcome.ok ? (outcome.output as number) : Number.NaN;
}

test.each([
  { runtime: "node20", calls: 100_000 },
  { runtime: "bun", calls: 40_000 },
  { runtime: "deno", calls: 40_000 },
] as const)(
  "many calls on one kept connection to $runtime: every answer in its turn, no growth, no warning",
  async ({ runtime, calls }) => {
    const env = { DENO_V8_FLAGS: "--expose-gc" };
    const service = await startFaulty(runtime, { pack, env });
    await service.untilReady();
    const socket = await service.connect();
    socket.setEncoding("latin1");
    const next = await makeCalls(socket, 0, WARM_CALLS);
    const before = await heapBytes(service);
    await makeCalls(socket, next, calls - WARM_CALLS);
    const growth = (await heapBytes(service)) - before;
    // Eight bytes a call: a single reference that is kept of each would be as much.
    expect(growth).toBeLessThan(8 * (calls - WARM_CALLS));
    socket.destroy();
    service.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(
      service.records.count(({ event, toolId }) => event === "call" && toolId === "echo"),
    ).toBe(calls);
    expect(service.stderr()).not.toContain("MaxListeners");
  },
  MAX_MS,
);
