import { Agent } from "node:http";
import { send } from "./request.mjs";
import { summarize } from "./statistics.mjs";

/**
 * Calls one at a time on one connection: every body in turn, and the first as often, in passes that alternate.
 * Returns the median microseconds of a call of either kind, once they have been warmed.
 */
export async function measureTurns(port, bodies, { warmPasses, passes }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const kinds = { inTurn: bodies, repeated: bodies.map(() => bodies[0]) };
  const tookUs = { inTurn: [], repeated: [] };
  try {
    for (let pass = 0; pass < warmPasses + passes; pass++) {
      for (const [kind, sent] of Object.entries(kinds)) {
        const times = await timeCalls(port, sent, agent);
        if (pass >= warmPasses) tookUs[kind].push(...times);
      }
    }
  } finally {
    agent.destroy();
  }
  return {
    inTurnUs: summarize(tookUs.inTurn).median,
    repeatedUs: summarize(tookUs.repeated).median,
  };
}

async function timeCalls(port, bodies, agent) {
  const times = [];
  for (const body of bodies) {
    const startedAt = performance.now();
    const message = JSON.parse(await send(port, body, agent));
    times.push((performance.now() - startedAt) * 1_000);
    if (message.kind !== "result") throw new Error(`a call failed: ${JSON.stringify(message)}`);
  }
  return times;
}
