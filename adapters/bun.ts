import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../src/captured.ts";
import { DISCARD_LIMIT_BYTES, DISCARD_LIMIT_MS, readBodyStream } from "../src/body.ts";
import type { Body, ReadBody } from "../src/body.ts";
import { createHost, processEnvironment } from "./base-host.ts";
import { hideDeletedVariables } from "./bun-children.ts";
import { decodeBody } from "./decode-body.ts";
import { firstSettled } from "./first-settled.ts";
import type { Host, HostServer, ServeOptions } from "./host.ts";
import { isExotic } from "./is-exotic.ts";
import { runProcess } from "./process.ts";

interface BunServer {
  readonly port: number;
  readonly address: { readonly address: string };
  readonly pendingRequests: number;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

declare const Bun: {
  serve(options: {
    fetch: (request: Request) => Promise<Response>;
    hostname?: string;
    port: number;
    idleTimeout: number;
    maxRequestBodySize: number;
    development: boolean;
  }): BunServer;
};

const RUNTIME_NAMES = ["BUN_INSTALL", "BUN_OPTIONS", "BUN_RUNTIME_TRANSPILER_CACHE_PATH"];
const CLOSE_POLL_MS = 10;
/** A caller who has sent nothing for so long waits for its answer. */
const CALLER_WAITS_MS = 50;

/** What Bun gives the process contract. */
export function bunHost(): Host {
  return createHost({
    environment: processEnvironment(RUNTIME_NAMES),
    serve: serveBun,
    seams: { readBody, decodeBody, isExotic },
  });
}

function serveBun({ handler, hostname, port }: ServeOptions): HostServer {
  const server = Bun.serve({
    fetch: (request) => answer(handler, request),
    ...(hostname === undefined ? {} : { hostname }),
    port,
    // A call may send nothing for longer than the 255 s that Bun can count.
    idleTimeout: 0,
    // The handler refuses a body that is too large, with an answer that says so.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
  });
  return {
    port: server.port,
    hostname: server.address.address,
    close: (limitMs) => close(server, limitMs),
  };
}

/** Bun closes the connection on a body that nobody reads, and its caller, still sending, can't read the refusal. */
async function answer(handler: ServeOptions["handler"], request: Request): Promise<Response> {
  const response = await handler(request);
  // In this order: asked for its body, a request makes a stream, which costs half as much as all of a small call.
  if (!request.bodyUsed && request.body !== null) await discardBody(request.body);
  return response;
}

/** In some versions `stop` resolves early or never, so the requests under way are counted. */
async function close(server: BunServer, limitMs: number): Promise<void> {
  const end = now() + limitMs;
  void server.stop();
  while (server.pendingRequests > 0 && now() < end) await sleep(CLOSE_POLL_MS);
  void server.stop(true);
}

/** A body of a declared length comes whole at half the cost of its stream. */
const readBody: ReadBody = (request, limitBytes) => {
  const { headers } = request;
  if (!headers.has("content-length") || headers.has("transfer-encoding")) {
    return readBodyStream(request, limitBytes);
  }
  return { body: readWhole(request), discard() {} };
};

/** Reads a body and throws it away, within bounds, as long as its caller goes on sending. */
async function discardBody(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const end = now() + DISCARD_LIMIT_MS;
  for (let left = DISCARD_LIMIT_BYTES; left > 0 && now() < end;) {
    let chunk: Uint8Array | undefined;
    const read = async () => {
      chunk = (await reader.read()).value;
    };
    await firstSettled([read(), sleep(CALLER_WAITS_MS)]);
    if (chunk === undefined) return;
    left -= chunk.length;
  }
}

/** What Bun puts in place of what isn't UTF-8. */
const REPLACEMENT = "\uFFFD";

/** Bun makes a text of a body without a copy of its bytes; they are only asked for where the text may not say what they do. */
async function readWhole(request: Request): Promise<Body> {
  const blob = await request.blob();
  const text = await blob.text();
  return text.includes(REPLACEMENT) ? new Uint8Array(await blob.arrayBuffer()) : text;
}

if ((import.meta as { main?: boolean }).main) {
  hideDeletedVariables();
  void runProcess(bunHost());
}
