import { setTimeout as sleep } from "node:timers/promises";
import { createHost, processEnvironment } from "./base-host.ts";
import type { Host, HostServer, ServeOptions } from "./host.ts";
import { runProcess } from "./process.ts";

interface DenoServer {
  readonly addr: { readonly hostname: string; readonly port: number };
  shutdown(): Promise<void>;
}

interface ReadPermission {
  name: "read";
  path: string;
}

declare const Deno: {
  readonly permissions: {
    requestSync(descriptor: ReadPermission): unknown;
    revokeSync(descriptor: ReadPermission): unknown;
  };
  serve(
    options: { hostname: string; port: number; onListen: () => void },
    handler: (request: Request) => Promise<Response>,
  ): DenoServer;
};

const RUNTIME_NAMES = ["DENO_DIR", "DENO_CERT", "DENO_TLS_CA_STORE", "DENO_V8_FLAGS"];

/** What Deno gives the process contract. */
export function denoHost(): Host {
  return createHost({
    environment: processEnvironment(RUNTIME_NAMES),
    confine,
    serve: serveDeno,
    seams: {},
  });
}

function serveDeno({ handler, hostname = "::", port }: ServeOptions): HostServer {
  const server = Deno.serve({ hostname, port, onListen() {} }, handler);
  const { addr } = server;
  return {
    port: addr.port,
    hostname: addr.hostname,
    close: (limitMs) => Promise.race([server.shutdown(), sleep(limitMs)]),
  };
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
