import { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NodeBodyReading, NodeIncoming } from "../../adapters/node-body.ts";

/** A request whose body the test sends, in the way of Node's parser. */
function incoming() {
  const req = new NodeIncoming(new Socket());
  const send = (chunk: Uint8Array | string) => req.push(Buffer.from(chunk as string));
  const end = () => {
    req.complete = true;
    req.push(null);
  };
  return { req, send, end };
}

describe("a body from Node's parser, past its stream (§1)", () => {
  test("comes whole, however it is cut and whenever it is asked for, and is none when it is over the limit", async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 20 });
    const limits = fc.integer({ min: 1, max: 300 });
    await fc.assert(
      fc.asyncProperty(chunks, limits, fc.nat(20), async (given, limitBytes, before) => {
        const { req, send, end } = incoming();
        for (const chunk of given.slice(0, before)) send(chunk);
        const { body } = new NodeBodyReading(req, limitBytes);
        for (const chunk of given.slice(before)) send(chunk);
        end();
        const whole = Buffer.concat(given);
        const read = await body;
        if (whole.length > limitBytes) expect(read).toBeUndefined();
        else expect(Buffer.compare(read as Uint8Array, whole)).toBe(0);
      }),
    );
  });

  test("that has ended is there at once", async () => {
    const { req, send, end } = incoming();
    send("body");
    end();
    expect(String(await new NodeBodyReading(req, 100).body)).toBe("body");
  });

  test("one over the limit is known before it ends, and the rest is read and thrown away", async () => {
    const { req, send, end } = incoming();
    const { body } = new NodeBodyReading(req, 4);
    send("12345");
    expect(await body).toBeUndefined();
    const ended = new Promise((resolve) => req.on("end", resolve));
    for (let i = 0; i < 100; i++) send("x".repeat(10_000));
    end();
    await ended;
    expect(req.readableLength).toBe(0);
  });

  test("one that breaks off rejects", async () => {
    const { req, send } = incoming();
    const { body } = new NodeBodyReading(req, 100);
    send("half");
    req.destroy();
    await expect(body).rejects.toThrow("before its body was complete");
    await expect(new NodeBodyReading(req, 100).body).rejects.toThrow(
      "before its body was complete",
    );
  });

  test("one that is discarded is thrown away to its end", async () => {
    const { req, send, end } = incoming();
    const reading = new NodeBodyReading(req, 100);
    send("1");
    reading.discard();
    const ended = new Promise((resolve) => req.on("end", resolve));
    send("2");
    end();
    await ended;
    reading.discard();
  });

  test.each([
    ["after it was asked for", true],
    ["before it is asked for", false],
  ])("one that ended %s is not kept by its request", async (_, isAskedFirst) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { req, send, end } = incoming();
    const arrive = () => {
      send("body");
      end();
    };
    const read = async () => {
      if (!isAskedFirst) arrive();
      const { body } = new NodeBodyReading(req, 100);
      if (isAskedFirst) arrive();
      return new WeakRef((await body) as Uint8Array);
    };
    const body = await read();
    await nextTurn();
    collect();
    expect(body.deref()).toBeUndefined();
    expect(req.complete).toBe(true);
  });
});
