import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { PATHS } from "../../src/paths.ts";
import { SERVER_OPTIONS } from "../node-server.ts";
import { answerJson, forward, refuse } from "./forward.ts";
import type { RawHeaders } from "./forward.ts";
import type { Upstream } from "./upstream.ts";

/** What the front answers itself, beside the service. */
export interface FrontPage {
  /** Answers a request that isn't for the service. Returns whether it does. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
  /** The headers that a request goes on with. */
  headersFor(req: IncomingMessage): RawHeaders;
}

export interface FrontOptions {
  host: string;
  port: number;
  /** @default every request is for the service */
  page?: FrontPage | undefined;
}

/** The one address of all the services that follow each other. */
export class Front {
  /** Who takes the requests; nobody while `undefined`. */
  upstream: Upstream | undefined;
  readonly #options: FrontOptions;
  readonly #server: Server;

  private constructor(options: FrontOptions) {
    this.#options = options;
    this.#server = createServer(SERVER_OPTIONS);
    this.#server.maxHeadersCount = 0;
    for (const event of ["request", "checkContinue", "checkExpectation"]) {
      this.#server.on(event, (req: IncomingMessage, res: ServerResponse) => this.#take(req, res));
    }
  }

  /** @throws when the address can't be bound */
  static async listen(options: FrontOptions): Promise<Front> {
    const front = new Front(options);
    front.#server.listen({ host: options.host, port: options.port });
    await once(front.#server, "listening");
    // Such as no file descriptors left for a connection: the next one may find some.
    front.#server.on("error", () => {});
    return front;
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  /** Closes every connection, those of calls under way, too. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #take(req: IncomingMessage, res: ServerResponse): void {
    // A connection that breaks is told of by `close`.
    req.on("error", () => {});
    res.on("error", () => {});
    const { page } = this.#options;
    if (page?.answer(req, res)) return;
    if (this.upstream) return forward(req, res, this.upstream, page?.headersFor(req));
    const isHealth = req.url === PATHS.health && (req.method === "GET" || req.method === "HEAD");
    void (isHealth ? answerJson(req, res, 200, { status: "ok" }) : refuse(req, res));
  }
}
