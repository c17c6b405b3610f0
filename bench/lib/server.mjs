import { closeSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, stopChild } from "./child.mjs";
import { pinned } from "./cores.mjs";
import { ROOT } from "./paths.mjs";
import { cpuMicroseconds } from "./process-figures.mjs";
import { withFolder } from "./temporary-folder.mjs";

export const TOKEN = "bench-token~!x9";

const BOOT_LIMIT_MS = 120_000;
const POLL_MS = 2;
const IDLE_WINDOW_MS = 300;
const IDLE_MICROSECONDS = 10_000;

const ENVIRONMENT = {
  PATH: process.env.PATH ?? "",
  HOME: tmpdir(),
  PORT: "0",
  NODE_ENV: "production",
  KINDGI_PACK_SERVICE_TOKEN: TOKEN,
  // Without these Deno would write to the home and ask the network for a newer version.
  DENO_DIR: join(tmpdir(), "pack-handler-deno"),
  DENO_NO_UPDATE_CHECK: "1",
};

/**
 * Runs `use` on a fresh server and stops it. All it prints goes to a file.
 * @param variables of the environment, beside those that every server gets
 * @throws Error with what it wrote when it doesn't listen
 */
export function withServer(command, use, variables = {}) {
  return withFolder(async (folder) => {
    const output = join(folder, "output");
    const startedAt = performance.now();
    const child = startServer(command, output, variables);
    try {
      const port = await listeningPort(child, output);
      return await use({ port, pid: child.pid, bootMs: performance.now() - startedAt });
    } finally {
      await stopChild(child);
    }
  });
}

function startServer(command, output, variables) {
  const file = openSync(output, "a");
  const stdio = ["ignore", file, file];
  const child = startChild(pinned("server", command), {
    cwd: ROOT,
    env: { ...ENVIRONMENT, ...variables },
    stdio,
  });
  closeSync(file);
  return child;
}

async function listeningPort(child, output) {
  const end = performance.now() + BOOT_LIMIT_MS;
  while (performance.now() < end && child.exitCode === null && child.signalCode === null) {
    const record = /^.*"event":"listening".*$/m.exec(readFileSync(output, "utf8"));
    if (record) return JSON.parse(record[0]).port;
    await sleep(POLL_MS);
  }
  const text = readFileSync(output, "utf8").slice(-4_000);
  throw new Error(`${child.spawnargs.join(" ")} doesn't listen; it wrote:\n${text}`);
}

/** Waits until a process does next to nothing. */
export async function untilIdle(pid) {
  for (let before = -Infinity, now = cpuMicroseconds(pid); now - before > IDLE_MICROSECONDS;) {
    await sleep(IDLE_WINDOW_MS);
    before = now;
    now = cpuMicroseconds(pid);
  }
}
