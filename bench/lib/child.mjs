import { spawn } from "node:child_process";
import { once } from "node:events";

const KILL_AFTER_MS = 10_000;
const running = new Set();

// A benchmark that fails or is interrupted leaves nothing running.
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Starts a process that does not outlive this one. */
export function startChild([file, ...args], options) {
  const child = spawn(file, args, options);
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

export async function stopChild(child) {
  if (!running.has(child)) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
  await closed;
  clearTimeout(timer);
}

/** Runs a process to its end. Returns what it printed. */
export async function runChild(command, options = {}) {
  const child = startChild(command, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  return Buffer.concat(output).toString();
}
