import { setTimeout as sleep } from "node:timers/promises";
import { createHost, isStderrFile, processEnvironment } from "./base-host.ts";
import { decodeBody } from "./decode-body.ts";
import { readBody } from "./deno-body.ts";
import { DenoStderr } from "./deno-stderr.ts";
import type { DenoWriter } from "./deno-stderr.ts";
import { firstSettled } from "./first-settled.ts";
import type { Host, HostServer, ServeOptions } from "./host.ts";
import { isExotic } from "./is-exotic.ts";
import { runProcess } from "./process.ts";

interface DenoAddress {
  readonly hostname: string;
  readonly port: number;
}

interface DenoServer {
  readonly addr: DenoAddress;
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

interface ReadPermission {
  name: "read";
  path: string;
}

declare const Deno: {
  readonly stderr: DenoWriter;
  readonly permissions: {
    requestSync(descriptor: ReadPermission): unknown;
    revokeSync(descriptor: ReadPermission): unknown;
  };
  serve(
    options: { hostname: string; port: number; onListen: () => void },
    handler: (request: Request) => Promise<Response>,
  ): DenoServer;
};

const SERVE_AGAIN_MS = 50;
const RUNTIME_NAMES = ["DENO_DIR", "DENO_CERT", "DENO_TLS_CA_STORE", "DENO_V8_FLAGS"];

/** What Deno gives the process contract. */
export function denoHost(): Host {
  return createHost({
    environment: processEnvironment(RUNTIME_NAMES),
    // From another thread, a write to a file would cost as much as the rest of a call's record.
    ...(isStderrFile() ? {} : { stderr: new DenoStderr(Deno.stderr) }),
    confine,
    serve: serveDeno,
    seams: { readBody, decodeBody, isExotic },
  });
}

function serveDeno({ handler, hostname = "::", port }: ServeOptions): HostServer {
  const listening = new Listening(handler, { hostname, port });
  const { addr } = listening;
  return {
    port: addr.port,
    hostname: addr.hostname,
    close: (limitMs) => firstSettled([listening.close(), sleep(limitMs)]),
  };
}

/**
 * A server that stays. Deno's own ends, and lets its port go, when it can't accept a connection: a moment without a
 * file descriptor left would be its last.
 */
class Listening {
  readonly #handler: ServeOptions["handler"];
  #server: DenoServer;
  #isClosing = false;

  constructor(handler: ServeOptions["handler"], address: DenoAddress) {
    this.#handler = handler;
    this.#server = this.#serve(address);
  }

  get addr(): DenoAddress {
    return this.#server.addr;
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#server.shutdown();
  }

  #serve({ hostname, port }: DenoAddress): DenoServer {
    const server = Deno.serve({ hostname, port, onListen() {} }, this.#handler);
    server.finished.catch(() => this.#serveAgain());
    return server;
  }

  async #serveAgain(): Promise<void> {
    while (!this.#isClosing) {
      try {
        this.#server = this.#serve(this.addr);
        return;
      } catch {
        await sleep(SERVE_AGAIN_MS);
      }
    }
  }
}

/**
 * The paths are known only from the command line, so the process starts with the right to read from the root folder
 * and gives it up here. Rights that were given by name stay.
 */
function confine(readablePaths: readonly string[]): void {
  for (const path of readablePaths) Deno.permissions.requestSync({ name: "read", path });
  Deno.permissions.revokeSync({ name: "read", path: "/" });
}

if ((import.meta as { main?: boolean }).main) void runProcess(denoHost());
