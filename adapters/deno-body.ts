import { readBodyStream } from "../src/body.ts";
import type { Body, ReadBody } from "../src/body.ts";

// Captured when this module loads: pack code may replace it later.
const { setImmediate } = globalThis;

/** A body that comes in one chunk has no more. */
const CHUNK_BYTES = 65_536;

/**
 * The web's stream, but large bodies go on one at a time. Those whose last bytes come in the same turn of Deno's event loop
 * would all be parsed before the first is handled, and be in memory at once, at several times their size.
 */
export const readBody: ReadBody = (request, limitBytes) => {
  const reading = readBodyStream(request, limitBytes);
  return { body: inTurn(reading.body), discard: () => reading.discard() };
};

async function inTurn(reading: Promise<Body | undefined>): Promise<Body | undefined> {
  const body = await reading;
  if (body !== undefined && body.length > CHUNK_BYTES) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  return body;
}
