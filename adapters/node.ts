#!/usr/bin/env node
import { realpathSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createHost } from "./base-host.ts";
import type { Host } from "./host.ts";
import { nodeSeams, serveNode } from "./node-server.ts";
import { runProcess } from "./process.ts";

export { runProcess } from "./process.ts";
export type { Host } from "./host.ts";

/** What Node gives the process contract: `runProcess(nodeHost())` is the `pack-handler` command. */
export function nodeHost(): Host {
  return createHost({
    serve: serveNode,
    seams: nodeSeams,
  });
}

/** Whether this file is what Node was told to run, also through a link such as npm makes for a command. */
function isMain(): boolean {
  const entry = process.argv[1];
  if (entry === undefined) return false;
  try {
    return realpathSync(entry) === realpathSync(fileURLToPath(import.meta.url));
  } catch {
    return false;
  }
}

if (isMain()) void runProcess(nodeHost());
