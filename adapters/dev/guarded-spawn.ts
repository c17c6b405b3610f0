import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

/**
 * Becomes the command. What it leaves behind waits on a pipe that only the parent holds: a line says that all is over; its
 * end without one says that the parent is gone, even by SIGKILL, and then the command's whole group must go.
 */
const GUARD = `
(
  trap '' HUP INT TERM
  read -r over <&3 && exit
  kill -TERM -$$
  sleep 10
  kill -KILL -$$
) > /dev/null 2>&1 < /dev/null &
exec 3<&-
exec "$@"
`;

export interface GuardedProcess {
  readonly process: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Sends a signal to the command alone. */
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal to whatever is left of the command and of what it started. */
  signalGroup(signal: NodeJS.Signals): void;
  /** Ends the guard, once nothing of the command is left. */
  release(): void;
}

export interface GuardedSpawnOptions {
  cwd?: string | undefined;
  env: NodeJS.ProcessEnv;
}

/**
 * Starts a command in a process group of its own, so that a terminal's Ctrl-C doesn't reach it, that doesn't outlive this
 * process however that ends. On Windows it is started as it is, without the group and the guard.
 */
export function spawnGuarded(
  [file = "", ...args]: readonly string[],
  { cwd, env }: GuardedSpawnOptions,
): GuardedProcess {
  const isWindows = process.platform === "win32";
  const child = isWindows
    ? spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true })
    : spawn("/bin/sh", ["-c", GUARD, "pack-handler", file, ...args], {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
        detached: true,
      });
  const guard = child.stdio[3] as Writable | undefined;
  // A guard that was killed with its group reads no more.
  guard?.on("error", () => {});
  return {
    process: child,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => {
      if (isWindows || child.pid === undefined) child.kill(signal);
      else signalGroup(child.pid, signal);
    },
    release: () => void guard?.end("over\n"),
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // Nothing of it is left.
  }
}
