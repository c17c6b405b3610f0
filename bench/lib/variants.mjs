import { join } from "node:path";
import { BENCH } from "./paths.mjs";
import { scriptCommand, serviceCommand } from "./service-command.mjs";

export const FLOOR = "bare";
export const OURS = "pack-handler";

const PEERS = {
  node: { fastify: ["fastify.mjs"], "fastify + pino": ["fastify.mjs", "log"] },
  bun: { elysia: ["elysia.mjs"] },
  deno: { hono: ["hono.mjs"] },
};

/** What is compared on a runtime: name → the command line of a server of one tool. */
export function variants(host, tool) {
  const peers = Object.entries(PEERS[host.runtime]).map(([name, [script, ...args]]) => [
    name,
    scriptCommand(host, script, tool, ...args),
  ]);
  return new Map([
    [FLOOR, scriptCommand(host, "bare.mjs", tool)],
    ...peers,
    [OURS, serviceCommand(host, join(BENCH, "pack/index.json"))],
  ]);
}

/** Calls `visit` for every entry, round by round; the order is reversed in every other round. */
export async function interleave(map, rounds, visit) {
  const results = new Map([...map.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const entries = round % 2 === 0 ? [...map] : [...map].toReversed();
    for (const [name, value] of entries) results.get(name).push(await visit(value, name));
  }
  return results;
}
