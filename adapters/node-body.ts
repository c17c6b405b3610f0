import type { IncomingMessage } from "node:http";
import { BodyBuffer } from "../src/body-buffer.ts";
import type { BodyReading } from "../src/body.ts";

/** Reads a body from Node's own events: less than half the cost of its web stream. */
export class NodeBodyReading implements BodyReading {
  readonly bytes: Promise<Uint8Array | undefined>;
  readonly #req: IncomingMessage;
  readonly #body: BodyBuffer;
  #resolve!: (bytes: Uint8Array | undefined) => void;
  #reject!: (reason: Error) => void;

  constructor(req: IncomingMessage, limitBytes: number) {
    this.#req = req;
    this.#body = new BodyBuffer(limitBytes);
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
    this.#body.clear();
    req.resume();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#body.add(chunk)) return;
    this.discard();
    this.#resolve(undefined);
  };

  readonly #onEnd = (): void => {
    this.#resolve(this.#body.take());
    this.discard();
  };

  readonly #onClose = (): void => {
    this.#reject(new Error("the caller closed the connection before its body was complete"));
    this.discard();
  };
}
