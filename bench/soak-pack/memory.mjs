import process from "node:process";

const SETTLE_MS = 50;

const collect = globalThis.Bun ? () => globalThis.Bun.gc(true) : globalThis.gc;

async function heapBytes() {
  if (!globalThis.Bun) return process.memoryUsage().heapUsed;
  const { heapStats } = await import("bun:jsc");
  return heapStats().heapSize;
}

/** What is still waiting, by kind, as far as the runtime tells. */
async function waiting() {
  if (globalThis.Bun) {
    const { heapStats } = await import("bun:jsc");
    const { Timeout = 0, AbortSignal = 0, Request = 0 } = heapStats().objectTypeCounts;
    return { timers: Timeout, AbortSignal, Request };
  }
  if (globalThis.Deno) return {};
  const resources = process.getActiveResourcesInfo();
  return { timers: resources.filter((name) => name === "Timeout").length };
}

function listeners() {
  const emitters = [process, process.stdout, process.stderr];
  const counts = emitters.map((emitter) =>
    emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The heap after forced collections, and what is left waiting: its own call's deadline is one timer of it. */
export default async () => {
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
  collect();
  return { heapBytes: await heapBytes(), waiting: await waiting(), listeners: listeners() };
};
