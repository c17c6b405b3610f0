import { Buffer } from "node:buffer";
import { IncomingMessage } from "node:http";
import { BodyBuffer } from "../src/body-buffer.ts";
import type { BodyReading } from "../src/body.ts";
import { keys } from "../src/captured.ts";

// Large cleared memory is always new to the process, whose first touch of it costs more than the copy.
const { allocUnsafeSlow } = Buffer;

/** Where a body comes from. */
interface BodySource {
  /** Gives a sink what has come and what still comes. */
  giveBody(sink: BodySink): void;
  /** What still comes is thrown away. */
  dropBody(): void;
}

/** Gets a body piece by piece. */
interface BodySink {
  add(chunk: Uint8Array): void;
  end(): void;
  breakOff(): void;
}

/**
 * Node's request, whose body can go to a sink as it comes off the wire: by way of its stream a small one costs as much
 * as all that a pack service does for a call. Without a sink it is the stream it always was.
 */
export class NodeIncoming extends IncomingMessage implements BodySource {
  #sink: BodySink | undefined;

  giveBody(sink: BodySink): void {
    this.#sink = sink;
    // Also tells Node that somebody reads.
    for (let chunk = this.#next(); chunk !== null; chunk = this.#next()) this.#sink?.add(chunk);
    if (this.complete) this.#endBody();
    else if (this.destroyed) this.#sink?.breakOff();
  }

  dropBody(): void {
    this.#sink = undefined;
    this.resume();
  }

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (!this.#sink) return super.push(chunk, encoding);
    if (chunk) this.#sink.add(chunk);
    else this.#endBody();
    return true;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.complete) this.#sink?.breakOff();
    super._destroy(error, callback);
  }

  /** Lets go of the sink: Node keeps a connection's last request, and with it would keep a body. */
  #endBody(): void {
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.end();
  }

  #next(): Uint8Array | null {
    return this.read() as Uint8Array | null;
  }
}

/** A request of somebody else's server, whose body comes by its stream. */
class StreamSource implements BodySource {
  readonly #req: IncomingMessage;
  #listeners: Readonly<Record<string, (chunk: Uint8Array) => void>> = {};

  constructor(req: IncomingMessage) {
    this.#req = req;
  }

  giveBody(sink: BodySink): void {
    const req = this.#req;
    if (req.readableEnded) return sink.end();
    if (req.destroyed) return sink.breakOff();
    this.#listeners = {
      data: (chunk) => sink.add(chunk),
      end: () => {
        this.#unlisten();
        sink.end();
      },
      close: () => sink.breakOff(),
    };
    for (const name of keys(this.#listeners)) req.on(name, this.#listeners[name]!);
  }

  dropBody(): void {
    this.#unlisten();
    this.#req.resume();
  }

  #unlisten(): void {
    for (const name of keys(this.#listeners)) this.#req.off(name, this.#listeners[name]!);
  }
}

/** Reads a body as it comes. */
export class NodeBodyReading implements BodyReading, BodySink {
  readonly body: Promise<Uint8Array | undefined>;
  readonly #source: BodySource;
  readonly #buffer: BodyBuffer;
  #resolve!: (bytes: Uint8Array | undefined) => void;
  #reject!: (reason: Error) => void;
  #isOver = false;

  constructor(req: IncomingMessage, limitBytes: number) {
    this.#source = req instanceof NodeIncoming ? req : new StreamSource(req);
    const declaredBytes = Number(req.headers["content-length"] ?? 0);
    this.#buffer = new BodyBuffer(limitBytes, declaredBytes, allocUnsafeSlow);
    this.body = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#source.giveBody(this);
  }

  /** How much is thrown away, the server bounds. */
  discard(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#buffer.clear();
    this.#source.dropBody();
  }

  add(chunk: Uint8Array): void {
    if (this.#buffer.add(chunk)) return;
    this.discard();
    this.#resolve(undefined);
  }

  end(): void {
    this.#isOver = true;
    this.#resolve(this.#buffer.take());
  }

  breakOff(): void {
    this.discard();
    this.#reject(new Error("the caller closed the connection before its body was complete"));
  }
}
