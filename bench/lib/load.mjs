import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runChild } from "./child.mjs";
import { pinned } from "./cores.mjs";
import { HEADERS, urlOf } from "./request.mjs";

const hasWrk = spawnSync("wrk", ["--version"], { stdio: "ignore" }).error === undefined;

/** What makes the load on this machine. */
export const generator = hasWrk ? "wrk" : "autocannon";

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

const COMMANDS = {
  wrk: ({ port, basePath, connections, seconds }) => [
    "wrk",
    ...["--threads", "1", "--connections", String(connections)],
    ...["--duration", `${seconds}s`, "--timeout", "60s", "--script", beside("load-wrk.lua")],
    ...Object.entries(HEADERS).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
    urlOf(port, basePath),
  ],
  autocannon: ({ port, basePath, connections, seconds }) => [
    process.execPath,
    beside("load-autocannon.mjs"),
    JSON.stringify({
      url: urlOf(port, basePath),
      headers: HEADERS,
      connections,
      duration: seconds,
    }),
  ],
};

/**
 * Sends the body in a file over some connections for some seconds, each request when the one before is answered.
 * @throws Error when any answer is missing or not a 200
 */
export async function runLoad({ bodyFile, ...options }) {
  const env = { ...process.env, BENCH_BODY_FILE: bodyFile };
  const output = await runChild(pinned("load", COMMANDS[generator](options)), { env });
  const { failures, ...figures } = JSON.parse(output.trim().split("\n").at(-1));
  if (failures > 0) throw new Error(`${failures} requests failed`);
  return figures;
}
