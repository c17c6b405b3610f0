import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../src/captured.ts";
import { readBodyStream } from "../src/body.ts";
import type { ReadBody } from "../src/body.ts";
import { createHost, processEnvironment } from "./base-host.ts";
import { hideDeletedVariables } from "./bun-children.ts";
import type { Host, HostServer, ServeOptions } from "./host.ts";
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

/** What Bun gives the process contract. */
export function bunHost(): Host {
  return createHost({
    environment: processEnvironment(RUNTIME_NAMES),
    serve: serveBun,
    seams: { readBody },
  });
}

function serveBun({ handler, hostname, port }: ServeOptions): HostServer {
  const server = Bun.serve({
    fetch: handler,
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
  return { bytes: readWhole(request), discard() {} };
};

async function readWhole(request: Request): Promise<Uint8Array> {
  return new Uint8Array(await request.arrayBuffer());
}

if ((import.meta as { main?: boolean }).main) {
  hideDeletedVariables();
  void runProcess(bunHost());
}
