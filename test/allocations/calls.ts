// Counts what calls allocate in this process; started by measure.mjs, on a runtime whose collector it can call.
import { getHeapStatistics } from "node:v8";
import { isExotic } from "../../adapters/is-exotic.ts";
import { createPackHandler } from "../../src/pack-handler.ts";
import type { ResponseConstructor } from "../../src/options.ts";

const BATCHES = 3;
/** V8 counts some 200 KB more or less, by where a batch begins in its pages: in so many bytes that is nothing. */
const BATCH_BYTES = 30_000_000;
const WARMUP_CALLS = 500;

const text = { type: "string", minLength: 1 };
const line = {
  type: "object",
  properties: { sku: text, count: { type: "integer", minimum: 1 }, price: { type: "number" } },
  required: ["sku", "count", "price"],
  additionalProperties: false,
};
const order = {
  type: "object",
  properties: { customer: text, lines: { type: "array", items: line }, note: { default: "" } },
  required: ["customer", "lines"],
};
const index = {
  v: 1,
  packId: "allocations",
  packVersion: "1.0.0",
  artifactVersion: "1",
  tools: [{ id: "total", input: order, output: { type: "number" }, modulePath: "total.js" }],
  guardrails: [{ id: "small", kind: "check", action: "block", checkModulePath: "small.js" }],
  agents: [],
  flows: [],
};
const modules = {
  "total.js": {
    default: ({ lines }: { lines: { count: number; price: number }[] }) =>
      lines.reduce((sum, { count, price }) => sum + count * price, 0),
  },
  "small.js": { evaluate: () => ({ passed: true }) },
};

/** As little as an answer can be, so that what counts is the service's own. */
class PlainResponse {
  readonly body: unknown;
  readonly status: number;

  constructor(body: unknown, { status = 200 }: ResponseInit = {}) {
    this.body = body;
    this.status = status;
  }
}

const lines = Array.from({ length: 16 }, (_, i) => ({ sku: `sku-${i}`, count: 2, price: 1.5 }));
const ctx = { tenantId: "t1", runId: "r1" };
const invoke = (input: unknown) => ({ v: 2, kind: "invoke", tool: { id: "total" }, input, ctx });
const check = { v: 2, kind: "check-invoke", check: { id: "small" }, config: {}, trace: {} };

const CALLS_BY_NAME: Readonly<Record<string, { message: unknown; token?: string }>> = {
  "a tool's call": { message: invoke({ customer: "Ada", lines }) },
  "a check's call": { message: check },
  "an input that its schema refuses": { message: invoke({ lines }) },
  "a wrong token": { message: check, token: "wrong" },
};

function prepare({ message, token = "secret" }: { message: unknown; token?: string }) {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  let written = 0;
  const handler = createPackHandler(index, modules, {
    token: "secret",
    Response: PlainResponse as unknown as ResponseConstructor,
    readBody: () => ({ body: Promise.resolve(bytes), discard() {} }),
    onDisconnect: () => () => {},
    isExotic,
    onRecord: (record) => (written += JSON.stringify(record).length),
  });
  const headers = { "content-type": "application/json", "kindgi-pack-token": token };
  // Its body is never read, so that it can be used again.
  const request = new Request("http://localhost/v1/invoke", { method: "POST", headers });
  return () => handler(request);
}

const collect = globalThis.gc!;
const usedBytes = (): number => getHeapStatistics().used_heap_size;

async function allocatedBytes(call: () => Promise<unknown>, calls: number): Promise<number> {
  await collect();
  const before = usedBytes();
  for (let i = 0; i < calls; i++) await call();
  return usedBytes() - before;
}

async function bytesPerCall(call: () => Promise<unknown>): Promise<number> {
  for (let i = 0; i < WARMUP_CALLS; i++) await call();
  const roughly = (await allocatedBytes(call, WARMUP_CALLS)) / WARMUP_CALLS;
  const calls = Math.round(BATCH_BYTES / roughly);
  const figures: number[] = [];
  for (let i = 0; i < BATCHES; i++) {
    const around = await allocatedBytes(call, 0);
    figures.push(((await allocatedBytes(call, calls)) - around) / calls);
  }
  return Math.min(...figures);
}

const figures: Record<string, number> = {};
for (const [name, call] of Object.entries(CALLS_BY_NAME)) {
  figures[name] = Math.round(await bytesPerCall(prepare(call)));
}
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
