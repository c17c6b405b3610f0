import type { RuntimeName } from "../runtimes/runtimes.ts";

/** A way of embedding, by its example in docs/embedding.md. */
export interface Way {
  name: string;
  /** What its example runs on. */
  runtime: RuntimeName | "node";
  /** What is played here around an example that starts no server. */
  platform?: "lambda" | "next";
}

/** Where each example mounts its pack. */
export const BASE_PATH = "/packs/hello";

export const WAYS: readonly Way[] = [
  { name: "hono", runtime: "node" },
  { name: "h3", runtime: "node" },
  { name: "express", runtime: "node" },
  { name: "express-srvx", runtime: "node" },
  { name: "express-hattip", runtime: "node" },
  { name: "connect", runtime: "node" },
  { name: "fastify", runtime: "node" },
  { name: "hattip", runtime: "node" },
  { name: "next", runtime: "node", platform: "next" },
  { name: "lambda", runtime: "node", platform: "lambda" },
  { name: "elysia", runtime: "bun" },
  { name: "bun", runtime: "bun" },
  { name: "deno", runtime: "deno" },
];

export function wayOf(name: string): Way {
  const way = WAYS.find((candidate) => candidate.name === name);
  if (!way) throw new Error(`there is no way of embedding named "${name}"`);
  return way;
}
