import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { clearTimeout, now, setTimeout } from "../src/captured.ts";
import { DISCARD_LIMIT_BYTES, DISCARD_LIMIT_MS } from "../src/body.ts";
import { encodeJson } from "../src/json.ts";
import type { ResponseConstructor } from "../src/options.ts";
import { decodeBody } from "./decode-body.ts";
import type { HandlerSeams, HostServer, ServeOptions } from "./host.ts";
import { isExotic } from "./is-exotic.ts";
import { NodeBodyReading, NodeIncoming } from "./node-body.ts";
import { NodeRequest } from "./node-request.ts";
import { NodeResponse } from "./node-response.ts";

/** Balancers reuse a connection that was idle for 60 s; one that is closed under them is a failed request. */
const KEEP_ALIVE_MS = 75_000;
/** Node counts this from the end of the last answer on a kept connection, so it must be longer. */
const HEADERS_MS = 80_000;
const CLOSE_POLL_MS = 25;
/** How long closing waits for callers who have their answer and still send their body. */
const UPLOAD_GRACE_MS = 1_000;
const BROKEN_REQUEST_MS = 2_000;

/** How a server of the protocol reads requests: none is refused that is for its handler to answer. */
export const SERVER_OPTIONS = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: HEADERS_MS,
  // A call's own deadline bounds the time its body may take.
  requestTimeout: 0,
  requireHostHeader: false,
};

/** Serves a pack handler on Node's HTTP server. */
export async function serveNode({ handler, hostname, port }: ServeOptions): Promise<HostServer> {
  const exchanges = new Exchanges(handler);
  const listener = (req: IncomingMessage, res: ServerResponse) => exchanges.start(req, res);
  const server = createServer({ ...SERVER_OPTIONS, IncomingMessage: NodeIncoming }, listener);
  // Node drops what comes after the 2000th, and with it a header that stands twice; their size is bounded anyway.
  server.maxHeadersCount = 0;
  // No expectation is refused: it is for the handler to answer.
  server.on("checkExpectation", listener);
  const broken = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // Every further packet is an error again.
    if (broken.has(socket)) return;
    broken.add(socket);
    socket.once("end", () => socket.destroy());
    answerBrokenRequest(error, socket, exchanges);
  });
  await listen(server, hostname, port);
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    hostname: address.address,
    close: (limitMs) => close(server, exchanges, limitMs),
  };
}

function listen(server: Server, host: string | undefined, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      // Such as no file descriptors left for a connection: the next one may find some.
      server.on("error", () => {});
      resolve();
    });
  });
}

/** What a handler of requests from {@link Exchanges} needs to read and answer them. */
export const nodeSeams: HandlerSeams = {
  Response: NodeResponse as unknown as ResponseConstructor,
  readBody: (request, limitBytes) => new NodeBodyReading(nodeRequest(request).req, limitBytes),
  decodeBody,
  onDisconnect: (request, listener) => nodeRequest(request).watch(listener),
  isExotic,
};

function nodeRequest(request: Request): NodeRequest {
  return request as unknown as NodeRequest;
}

/** Answers Node's requests by a handler, and knows those whose exchange is under way. */
export class Exchanges {
  readonly #handler: ServeOptions["handler"];
  readonly #open = new Set<NodeRequest>();
  readonly #watched = new WeakSet<Socket>();

  constructor(handler: ServeOptions["handler"]) {
    this.#handler = handler;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  get areAnswered(): boolean {
    for (const { isAnswered } of this.#open) if (!isAnswered) return false;
    return true;
  }

  on(socket: Socket): ServerResponse | undefined {
    for (const { res } of this.#open) if (res.socket === socket) return res;
    return undefined;
  }

  /** @param url the target, where a framework has cut `req.url` short */
  start(req: IncomingMessage, res: ServerResponse, url = req.url ?? ""): void {
    const request = new NodeRequest(req, res, url, (closed) => this.#open.delete(closed));
    this.#open.add(request);
    if (res.socket === null) this.#watch(req.socket);
    void this.#run(request);
  }

  /** Node tells a response that waits for those before it nothing of the end of its connection. */
  #watch(socket: Socket): void {
    if (this.#watched.has(socket)) return;
    this.#watched.add(socket);
    socket.once("close", () => {
      for (const request of this.#open) if (request.req.socket === socket) request.close();
    });
  }

  async #run(request: NodeRequest): Promise<void> {
    const { req, res } = request;
    try {
      const answer = await this.#handler(request as unknown as Request);
      const response = answer as unknown as NodeResponse;
      if (req.complete) response.endTo(res);
      else await this.#answerEarly(request, response);
    } catch {
      res.destroy();
    }
  }

  /**
   * Answers a caller who is still sending. The answer goes out whole, but its end waits for the end of the body:
   * Node would close the connection on unread bytes, and that resets it before the answer is read.
   */
  async #answerEarly(request: NodeRequest, response: NodeResponse): Promise<void> {
    const { req, res } = request;
    response.writeTo(res);
    request.isAnswered = true;
    if (await discardRest(req)) res.end();
    else req.socket.destroy();
  }
}

/** Reads on until a body ends. Returns whether it did, within bounds. */
export function discardRest(req: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let length = 0;
    const finish = (isWhole: boolean) => {
      clearTimeout(timer);
      resolve(isWhole);
    };
    const timer = setTimeout(finish, DISCARD_LIMIT_MS, false);
    req.on("end", () => finish(true)).on("close", () => finish(req.complete));
    req.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > DISCARD_LIMIT_BYTES) finish(false);
    });
    if (req.readableEnded || req.destroyed) finish(req.complete);
  });
}

const BROKEN_REQUESTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Answers what isn't HTTP, once the requests before it are answered: this must not pass for one of their answers. */
function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  exchanges: Exchanges,
): void {
  const pending = exchanges.on(socket);
  if (pending?.req.complete) {
    pending.once("close", () => answerBrokenRequest(error, socket, exchanges));
    return;
  }
  if (socket.writableEnded) return;
  if (!socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  const status = BROKEN_REQUESTS[error.code ?? ""] ?? "400 Bad Request";
  const body = encodeJson({ error: status.slice(4).toLowerCase() });
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json; charset=utf-8",
    "cache-control: no-store",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), BROKEN_REQUEST_MS).unref();
}

async function close(server: Server, exchanges: Exchanges, limitMs: number): Promise<void> {
  const start = now();
  const elapsedMs = () => now() - start;
  // Only stops listening. The HTTP server's own close takes a connection for idle whose answer is still being sent.
  NetServer.prototype.close.call(server);
  while (!exchanges.isEmpty && elapsedMs() < limitMs) {
    if (exchanges.areAnswered && elapsedMs() > UPLOAD_GRACE_MS) break;
    await sleep(CLOSE_POLL_MS);
  }
  server.closeAllConnections();
}
