import { once } from "node:events";
import { Agent, request } from "node:http";
import { HEADERS, urlOf } from "./request.mjs";

/** Where a burst is held until `untilHeld` resolves: every body but for its last byte sent, or every answer unread. */
export const HOLD = { body: "body", answer: "answer" };

/**
 * Sends the same call so many times at once and makes the server hold all of it at the same time.
 * @throws Error when an answer is not a 200
 */
export async function burst({ port, body, count, hold, untilHeld }) {
  const agent = new Agent({ maxSockets: count });
  const options = { method: "POST", agent, headers: { ...HEADERS, "content-length": body.length } };
  const calls = Array.from({ length: count }, () => {
    const outgoing = request(urlOf(port), options);
    return { outgoing, answered: once(outgoing, "response") };
  });
  try {
    for (const { outgoing } of calls) {
      if (hold === HOLD.body) outgoing.write(body.subarray(0, -1));
      else outgoing.end(body);
    }
    await untilHeld();
    if (hold === HOLD.body) for (const { outgoing } of calls) outgoing.end(body.subarray(-1));
    await Promise.all(calls.map(({ answered }) => readAnswer(answered)));
  } finally {
    agent.destroy();
  }
}

async function readAnswer(answered) {
  const [response] = await answered;
  if (response.statusCode !== 200) throw new Error(`a call was answered ${response.statusCode}`);
  response.resume();
  await once(response, "end");
}
