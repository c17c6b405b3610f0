import type { IncomingMessage, ServerResponse } from "node:http";

/** Node keeps only the first of those that came twice; the handler has to see all. */
const KEPT_ONCE: ReadonlySet<string> = new Set(["content-type", "host"]);

/** The headers of a request of Node's, as much of the web's `Headers` as a pack handler reads: names in lower case. */
class NodeHeaders {
  readonly #req: IncomingMessage;

  constructor(req: IncomingMessage) {
    this.#req = req;
  }

  get(name: string): string | null {
    const value = this.#req.headers[name];
    if (value === undefined) return null;
    return KEPT_ONCE.has(name) ? this.#all(name) : String(value);
  }

  has(name: string): boolean {
    return this.#req.headers[name] !== undefined;
  }

  #all(name: string): string {
    const { rawHeaders } = this.#req;
    let all: string | undefined;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const key = rawHeaders[i] as string;
      if (key.length !== name.length || key.toLowerCase() !== name) continue;
      const value = rawHeaders[i + 1] as string;
      all = all === undefined ? value : `${all}, ${value}`;
    }
    return all ?? "";
  }
}

/**
 * A request of Node's and the response to it, as much of the web's `Request` as a pack handler reads. A whole one, such
 * as srvx makes, costs a call a tenth of its time and a boot the loading of all of `fetch`.
 */
export class NodeRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The target as it was sent. */
  readonly url: string;
  readonly method: string;
  readonly headers: NodeHeaders;
  /** Whether somebody has read from the body before us: what is left of it is no body. */
  readonly bodyUsed: boolean;
  /** Whether the answer has gone out, though its end waits for the end of the request. */
  isAnswered = false;
  readonly #onClose: (request: NodeRequest) => void;
  #onDisconnect: (() => void) | undefined;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    url: string,
    onClose: (request: NodeRequest) => void,
  ) {
    this.req = req;
    this.res = res;
    this.url = url;
    this.method = req.method ?? "";
    this.headers = new NodeHeaders(req);
    this.bodyUsed = req.readableDidRead;
    this.#onClose = onClose;
    res.on("close", () => this.close());
  }

  /** The answer is out, or nobody is there any more to get it. */
  close(): void {
    if (!this.res.writableEnded) this.#onDisconnect?.();
    this.#onClose(this);
  }

  /** Cheaper than a signal, which an answer that went out doesn't abort either. */
  watch(listener: () => void): () => void {
    this.#onDisconnect = listener;
    if (this.res.destroyed) listener();
    return () => {
      this.#onDisconnect = undefined;
    };
  }
}
