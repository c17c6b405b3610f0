import { fstatSync, statSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../src/captured.ts";
import { STOP_SIGNALS } from "./host.ts";
import type { Host, HostEnvironment, HostFiles, HostOutput } from "./host.ts";
import { importFile } from "./import-file.ts";
import { onProcessExit } from "./process-exit.ts";

// Captured when this module loads: pack code may replace them later.
const { setImmediate, setInterval, Atomics } = globalThis;
const exit = process.exit.bind(process);

const FOREVER_MS = 2_147_483_647;
const STDOUT = 1;
const STDERR = 2;
const LINE_BREAK = 10;

/** What a runtime has of its own. */
export type HostParts = Pick<Host, "serve" | "seams"> &
  Partial<Pick<Host, "environment" | "stderr" | "import" | "confine">>;

export const hostFiles: HostFiles = {
  // From bytes: with an encoding, Node decodes piece by piece.
  readText: async (path) => (await readFile(path)).toString("utf8"),
  // At once: by a promise each, to look for a thousand modules takes a boot four times as long.
  isFile: (path) => {
    try {
      return statSync(path).isFile();
    } catch {
      return false;
    }
  },
};

/** A host over what Node, Bun and Deno have in common. */
export function createHost(parts: HostParts): Host {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  return {
    argv: process.argv.slice(2),
    environment: processEnvironment([]),
    stdout: outputOf(process.stdout, STDOUT),
    stderr: parts.stderr ?? sharedOutputOf(process.stderr, STDERR),
    files: hostFiles,
    onSignal(listener) {
      for (const signal of STOP_SIGNALS) {
        process.on(signal, () => listener(signal));
      }
    },
    onFault(listener) {
      process.on("uncaughtException", (error) => listener({ kind: "uncaught-exception", error }));
      process.on("unhandledRejection", (error) => listener({ kind: "unhandled-rejection", error }));
    },
    onExit: onProcessExit,
    exit,
    import: importFile,
    afterTurn: (callback) => void setImmediate(callback),
    stayAlive: () => void setInterval(() => {}, FOREVER_MS),
    now,
    sleep: (ms) => sleep(ms),
    sleepSync: (ms) => void Atomics.wait(lock, 0, 0, ms),
    ...parts,
  };
}

/** Whether stderr is a file, as opposed to a pipe or a terminal: a write to it waits for no reader. */
export function isStderrFile(): boolean {
  try {
    return fstatSync(STDERR).isFile();
  } catch {
    return false;
  }
}

/** @param runtimeNames names that the runtime itself reads while it runs */
export function processEnvironment(runtimeNames: readonly string[]): HostEnvironment {
  return {
    all: () => ({ ...process.env }) as Record<string, string>,
    delete(name) {
      delete process.env[name];
    },
    ignoresCase: process.platform === "win32",
    runtimeNames,
  };
}

/**
 * Writes to the file descriptor itself, since a stream's queue is lost when the process ends. That the stream is
 * touched makes a pipe non-blocking on Node and Bun.
 */
function outputOf(stream: NodeJS.WriteStream, fd: number): HostOutput {
  // A reader that went away must not end the process.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    write: (bytes) => writeNow(fd, bytes),
    isMidLine: () => false,
    isHolding: () => false,
  };
}

/** An output that pack code writes to as well, through its stream. */
function sharedOutputOf(stream: NodeJS.WriteStream, fd: number): HostOutput {
  const output = outputOf(stream, fd);
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let isMidLine = false;
  /** Writes that the stream holds back; only Node's `writableLength` tells of them. */
  let held = 0;
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    const callback =
      typeof rest.at(-1) === "function" ? (rest.pop() as (...args: unknown[]) => void) : undefined;
    isMidLine = leavesMidLine(chunk, isMidLine);
    held += 1;
    return write(chunk, ...rest, (...args: unknown[]) => {
      held -= 1;
      callback?.(...args);
    });
  };
  return {
    isTerminal: output.isTerminal,
    write(bytes) {
      const taken = output.write(bytes);
      // What is held back comes after this, and ends as it ended.
      if (taken > 0 && held === 0) isMidLine = false;
      return taken;
    },
    // A stream that holds something back may have stopped anywhere.
    isMidLine: () => isMidLine || held > 0,
    isHolding: () => held > 0,
  };
}

function leavesMidLine(chunk: unknown, before: boolean): boolean {
  if (typeof chunk === "string") return chunk === "" ? before : !chunk.endsWith("\n");
  if (!(chunk instanceof Uint8Array) || chunk.length === 0) return before;
  return chunk[chunk.length - 1] !== LINE_BREAK;
}

function writeNow(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}
