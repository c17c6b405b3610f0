import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { TOKEN_NAME } from "../config.ts";
import type { ServiceChildOptions } from "./service-child.ts";
import type { PackPlace } from "./supervisor.ts";

type Runtime = "node" | "bun" | "deno";

/** How a runtime is told to run a file. */
const RUN: Readonly<Record<Runtime, readonly string[]>> = {
  node: [],
  bun: ["run"],
  deno: ["run", "--no-prompt", "--allow-all", "--unstable-no-legacy-abort"],
};

function runtimeInUse(): Runtime {
  if ("Bun" in globalThis) return "bun";
  return "Deno" in globalThis ? "deno" : "node";
}

/**
 * The command that runs this package on the runtime in use: its command line, or its service.
 *
 * @param entry the URL of the command line's entry point; the services' lie beside it
 */
export function ownCommand(entry: string, what: "cli" | "service"): string[] {
  const runtime = runtimeInUse();
  const extension = entry.endsWith(".ts") ? "ts" : "js";
  const url = what === "cli" ? entry : new URL(`./${runtime}.${extension}`, entry);
  return [process.execPath, ...RUN[runtime], fileURLToPath(url)];
}

export interface ServiceCommandOptions {
  words: readonly string[];
  token: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Given to a service that may not say which port it took. @default the service picks one */
  port?: number | undefined;
}

/** A service's command and environment, as contract §7 has them. */
export function serviceCommand(
  { index, moduleRoot }: PackPlace,
  { words, token, environment, port }: ServiceCommandOptions,
): Pick<ServiceChildOptions, "words" | "env" | "port"> {
  return {
    words: [...words, "--index", index, "--module-root", moduleRoot, "--host", "127.0.0.1"],
    env: {
      ...environment,
      PORT: String(port ?? 0),
      [TOKEN_NAME]: token,
      KINDGI_PACK_INDEX: index,
      KINDGI_LOG_FORMAT: "json",
    },
    port,
  };
}

/** A port of the loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
