import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** One core for the server, another for the load. */
const CORES = { server: 1, load: 0 };

const canPin =
  availableParallelism() > 1 &&
  spawnSync("taskset", ["--version"], { stdio: "ignore" }).status === 0;

/** Whether server and load each have a core of their own. */
export const isPinned = canPin;

/** A command line that runs on one core where this can be arranged; the process stays the same, and so does its id. */
export function pinned(role, [file, ...args]) {
  return canPin ? ["taskset", "--cpu-list", String(CORES[role]), file, ...args] : [file, ...args];
}
