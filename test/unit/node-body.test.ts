import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NodeBodyReading } from "../../adapters/node-body.ts";

function incoming(headers: Record<string, string> = {}) {
  const stream = Object.assign(new PassThrough(), { headers });
  return { stream, req: stream as unknown as IncomingMessage };
}

function listeners(stream: PassThrough): number {
  return ["data", "end", "close"].reduce((count, name) => count + stream.listenerCount(name), 0);
}

describe("a body from Node's own events (§1)", () => {
  test("comes whole, however it is cut and declared, and is none when it is over the limit", async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 20 });
    const limit = fc.integer({ min: 1, max: 300 });
    const declared = fc.oneof(fc.double().map(String), fc.nat(600).map(String), fc.string());
    await fc.assert(
      fc.asyncProperty(chunks, limit, fc.option(declared), async (given, limitBytes, length) => {
        const { stream, req } = incoming(length === null ? {} : { "content-length": length });
        const before = listeners(stream);
        const { body } = new NodeBodyReading(req, limitBytes);
        for (const chunk of given) stream.write(Buffer.from(chunk));
        stream.end();
        const whole = Buffer.concat(given);
        const read = await body;
        if (whole.length > limitBytes) expect(read).toBeUndefined();
        else expect(Buffer.compare(read as Uint8Array, whole)).toBe(0);
        expect(listeners(stream)).toBeLessThanOrEqual(before);
      }),
    );
  });

  test("one over the limit is known before it ends, and the rest is read and thrown away", async () => {
    const { stream, req } = incoming();
    const { body } = new NodeBodyReading(req, 4);
    stream.write("12345");
    expect(await body).toBeUndefined();
    const ended = new Promise((resolve) => stream.on("end", resolve));
    for (let i = 0; i < 100; i++) stream.write("x".repeat(10_000));
    stream.end();
    await ended;
  });

  test("one that breaks off rejects", async () => {
    const { stream, req } = incoming();
    const { body } = new NodeBodyReading(req, 100);
    stream.write("half");
    stream.destroy();
    await expect(body).rejects.toThrow("before its body was complete");
    await expect(new NodeBodyReading(req, 100).body).rejects.toThrow(
      "before its body was complete",
    );
  });

  test("one that was read is empty when it is read again", async () => {
    const { stream, req } = incoming();
    stream.end("body");
    expect(String(await new NodeBodyReading(req, 100).body)).toBe("body");
    expect((await new NodeBodyReading(req, 100).body)?.length).toBe(0);
  });

  test("what is no longer wanted leaves nothing on the request", () => {
    const { stream, req } = incoming();
    const before = listeners(stream);
    new NodeBodyReading(req, 100).discard();
    expect(listeners(stream)).toBe(before);
    expect(stream.readableFlowing).toBe(true);
  });
});
