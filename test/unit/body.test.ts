import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBody as decodeByBuffer } from "../../adapters/decode-body.ts";
import { awaitUnwantedBody, decodeBody, readBodyStream } from "../../src/body.ts";

/** A request whose body is sent by hand. */
function upload() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let cancelled!: () => void;
  const cancel = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start: (c) => void (controller = c),
    cancel: cancelled,
  });
  const init = {
    method: "POST",
    body,
    duplex: "half",
    headers: { "transfer-encoding": "chunked" },
  };
  return { request: new Request("http://host/", init as RequestInit), controller, cancel };
}

const bytes = (length: number) => new Uint8Array(length).fill(97);

describe("readBodyStream (§1.6)", () => {
  test("joins the chunks", async () => {
    const { request, controller } = upload();
    const reading = readBodyStream(request, 10);
    controller.enqueue(Uint8Array.of(1, 2));
    controller.enqueue(Uint8Array.of(3));
    controller.close();
    expect(await reading.body).toEqual(Uint8Array.of(1, 2, 3));
  });

  test("takes a request without a body for an empty one", async () => {
    const request = new Request("http://host/", { method: "POST" });
    expect(await readBodyStream(request, 10).body).toBe("");
  });

  test("accepts exactly the limit, and says so as soon as one byte more has come", async () => {
    const exact = upload();
    const accepted = readBodyStream(exact.request, 4);
    exact.controller.enqueue(bytes(4));
    exact.controller.close();
    expect(await accepted.body).toHaveLength(4);
    const over = upload();
    const refused = readBodyStream(over.request, 4);
    over.controller.enqueue(bytes(5));
    expect(await refused.body).toBeUndefined();
  });

  test("goes on discarding what is too large, and cuts it off in the end", async () => {
    const { request, controller, cancel } = upload();
    const reading = readBodyStream(request, 4);
    controller.enqueue(bytes(5));
    await reading.body;
    for (let mib = 0; mib < 65; mib++) controller.enqueue(bytes(1_048_576));
    await cancel;
  });

  test("rejects when the body breaks off", async () => {
    const { request, controller } = upload();
    const reading = readBodyStream(request, 4);
    controller.error(new Error("gone"));
    await expect(reading.body).rejects.toThrow("gone");
  });

  test("forgets a body that is no longer wanted", async () => {
    const { request, controller } = upload();
    const reading = readBodyStream(request, 4);
    controller.enqueue(bytes(2));
    reading.discard();
    controller.enqueue(bytes(2));
    controller.close();
    expect(await reading.body).toBeUndefined();
    reading.discard();
  });
});

describe("decodeBody (§2)", () => {
  test("is strict UTF-8, a byte order mark skipped", () => {
    expect(decodeBody(new TextEncoder().encode("é😀"))).toBe("é😀");
    expect(decodeBody(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b))).toBe("{");
    expect(decodeBody(Uint8Array.of(0xc3, 0x28))).toBeUndefined();
    expect(decodeBody(Uint8Array.of(0xed, 0xa0, 0x80))).toBeUndefined();
    // The decoder is shared: what one body left half must not spill into the next.
    expect(decodeBody(Uint8Array.of(0xe2, 0x82))).toBeUndefined();
    expect(decodeBody(Uint8Array.of(0x7b))).toBe("{");
  });
});

test("what the adapters decode a body with says the same (§2)", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "{", "\u007f", "\u0080", "é", "😀", "\ufeff"),
  });
  const encoded = text.map((value) => new TextEncoder().encode(value));
  const parts = fc.tuple(fc.oneof(encoded, fc.uint8Array()), encoded);
  fc.assert(
    fc.property(parts, ([first, second]) => {
      const buffer = Uint8Array.of(...first, ...second);
      for (const one of [buffer, second, buffer.subarray(first.length)]) {
        expect(decodeByBuffer(one)).toBe(decodeBody(one));
      }
    }),
  );
});

describe("awaitUnwantedBody (§7)", () => {
  test("waits for a body's end", async () => {
    const { request, controller } = upload();
    let waited = false;
    const wait = awaitUnwantedBody(request, readBodyStream, 10).then(() => (waited = true));
    controller.enqueue(bytes(2));
    expect(waited).toBe(false);
    controller.close();
    await wait;
  });

  test("does not wait for one that breaks off, stalls or isn't there", async () => {
    const broken = upload();
    broken.controller.error(new Error("gone"));
    await awaitUnwantedBody(broken.request, readBodyStream, 10);
    await awaitUnwantedBody(upload().request, readBodyStream, 10);
    await awaitUnwantedBody(new Request("http://host/"), readBodyStream, 10);
  });
});
