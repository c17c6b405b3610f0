import { clearTimeout, setTimeout } from "./captured.ts";
import { BodyBuffer } from "./body-buffer.ts";

/** A whole body: its bytes, or its text where the runtime has decoded it as {@link DecodeBody} would. */
export type Body = Uint8Array | string;

/** A request body on its way in. */
export interface BodyReading {
  /**
   * Resolves with the whole body, or with `undefined` as soon as more than the limit has come; what follows is
   * then read and discarded, within bounds, so that a caller who sends all before it listens can read the
   * refusal. Rejects when the body breaks off.
   */
  readonly body: Promise<Body | undefined>;
  /** Forgets what has come and discards what still comes, within bounds. Nothing happens after the end. */
  discard(): void;
}

/** How a request's body comes in. A runtime's adapter may know a faster way than the web stream. */
export type ReadBody = (request: Request, limitBytes: number) => BodyReading;

/** How much of a body that nobody wants is read, and for how long, before it is cut off. */
export const DISCARD_LIMIT_BYTES = 67_108_864;
export const DISCARD_LIMIT_MS = 30_000;

/** Reads a body from the request's web stream: what every runtime can do. */
export const readBodyStream: ReadBody = (request, limitBytes) => {
  if (request.body === null) {
    return { body: Promise.resolve(""), discard() {} };
  }
  const body = new BodyBuffer(limitBytes, Number(request.headers.get("content-length") ?? 0));
  const reading = new StreamReading(request.body.getReader(), body);
  return { body: reading.read(), discard: () => reading.discard() };
};

class StreamReading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #body: BodyBuffer;
  #ended = false;
  #discarding = false;
  #cutOff: ReturnType<typeof setTimeout> | undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, body: BodyBuffer) {
    this.#reader = reader;
    this.#body = body;
  }

  async read(): Promise<Uint8Array | undefined> {
    while (!this.#discarding) {
      const { done, value } = await this.#next();
      if (this.#discarding) break;
      if (done) return this.#body.take();
      if (!this.#body.add(value)) this.discard();
    }
    void this.#discardRest();
    return undefined;
  }

  discard(): void {
    if (this.#ended || this.#discarding) return;
    this.#discarding = true;
    this.#body.clear();
    this.#cutOffLater();
  }

  async #next(): Promise<ReadableStreamReadResult<Uint8Array>> {
    try {
      const result = await this.#reader.read();
      if (result.done) this.#end();
      return result;
    } catch (reason) {
      this.#end();
      throw reason;
    }
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#cutOff);
  }

  async #discardRest(): Promise<void> {
    if (this.#ended) return;
    try {
      for (let total = 0; total < DISCARD_LIMIT_BYTES;) {
        const { done, value } = await this.#next();
        if (done) return;
        total += value.byteLength;
      }
      await this.#reader.cancel();
    } catch {
      // The caller went away: nothing is left to discard.
    }
  }

  async #cancel(): Promise<void> {
    try {
      await this.#reader.cancel();
    } catch {
      // The caller went away: nothing is left to cut off.
    }
  }

  #cutOffLater(): void {
    this.#cutOff = setTimeout(() => void this.#cancel(), DISCARD_LIMIT_MS);
    // Node's timers keep a process alive; this one must not.
    (this.#cutOff as { unref?: () => void }).unref?.();
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const decode = decoder.decode.bind(decoder);

/** The text of a body, a byte order mark skipped; `undefined` when it isn't UTF-8. */
export type DecodeBody = (bytes: Uint8Array) => string | undefined;

/** Decodes a body as every runtime can. */
export const decodeBody: DecodeBody = (bytes) => {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
};

const UNWANTED_BODY_WAIT_MS = 1_000;

/**
 * Waits, a little, until the caller has sent the body of a request that is refused. A connection that is closed on
 * unread bytes is reset, and its caller never sees the refusal.
 */
export async function awaitUnwantedBody(
  request: Request,
  read: ReadBody,
  limitBytes: number,
): Promise<void> {
  if (request.bodyUsed || !hasBody(request.headers)) return;
  const reading = openUnwanted(request, read, limitBytes);
  if (reading === undefined) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, UNWANTED_BODY_WAIT_MS);
    const awaitEnd = async () => {
      try {
        await reading.body;
      } catch {
        // It broke off.
      }
      clearTimeout(timer);
      resolve();
    };
    void awaitEnd();
  });
  reading.discard();
}

function openUnwanted(
  request: Request,
  read: ReadBody,
  limitBytes: number,
): BodyReading | undefined {
  try {
    return read(request, limitBytes);
  } catch {
    // Somebody else reads it.
    return undefined;
  }
}

function hasBody(headers: Headers): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
}
