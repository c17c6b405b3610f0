import type { IncomingMessage } from "node:http";
import type { BodyReading } from "../src/body.ts";

const EMPTY = Buffer.alloc(0);

/** Reads a body from Node's own events: less than half the cost of its web stream. */
export class NodeBodyReading implements BodyReading {
  readonly bytes: Promise<Uint8Array | undefined>;
  readonly #req: IncomingMessage;
  readonly #limitBytes: number;
  /** One buffer, not a list of chunks: a caller may send a body byte by byte, and each chunk costs a hundred. */
  #buffer: Buffer = EMPTY;
  #length = 0;
  #resolve!: (bytes: Uint8Array | undefined) => void;
  #reject!: (reason: Error) => void;

  constructor(req: IncomingMessage, limitBytes: number) {
    this.#req = req;
    this.#limitBytes = limitBytes;
    this.bytes = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (req.readableEnded) this.#onEnd();
    else if (req.destroyed) this.#onClose();
    else req.on("data", this.#onData).on("end", this.#onEnd).on("close", this.#onClose);
  }

  /** What still comes is thrown away; how much of it, the server bounds. */
  discard(): void {
    const req = this.#req;
    req.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onClose);
    this.#buffer = EMPTY;
    req.resume();
  }

  #append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(2 * length, this.#limitBytes));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#length + chunk.length > this.#limitBytes) {
      this.discard();
      this.#resolve(undefined);
    } else if (this.#length === 0) {
      // Most bodies are one chunk, which needs no copy.
      this.#buffer = chunk;
      this.#length = chunk.length;
    } else {
      this.#append(chunk);
    }
  };

  readonly #onEnd = (): void => {
    this.#resolve(this.#buffer.subarray(0, this.#length));
    this.discard();
  };

  readonly #onClose = (): void => {
    this.#reject(new Error("the caller closed the connection before its body was complete"));
    this.discard();
  };
}
