import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createPackClient } from "../../src/client.ts";
import type { PackClient } from "../../src/client.ts";
import type { LogRecord } from "../../src/records.ts";
import { RecordLog } from "../contract/record-log.ts";
import { TOKEN } from "../contract/target.ts";
import { requireRuntime } from "../runtimes/runtimes.ts";
import type { RuntimeName } from "../runtimes/runtimes.ts";

/** The build: `npm run build` comes first. */
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** A pack in a folder of its own. */
export interface TestPack {
  readonly folder: string;
  write(file: string, text: string): void;
  read(file: string): string;
}

/** Writes an index, whose other members are made up, and the files beside it. */
export function layPack(index: object, files: Record<string, string>): TestPack {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-dev-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const about = { v: 1, packId: "under-test", packVersion: "1", artifactVersion: "1" };
  write("index.json", JSON.stringify({ ...about, tools: [], guardrails: [], ...index }));
  return { folder, write, read: (file) => readFileSync(join(folder, file), "utf8") };
}

/** A pack whose every module is a tool of its name. */
export function layTools(modules: Record<string, string>): TestPack {
  const tools = Object.keys(modules).map((id) => {
    return { id, input: { type: "object" }, output: {}, modulePath: `${id}.mjs` };
  });
  const files = Object.entries(modules).map(([id, text]) => [`${id}.mjs`, text] as const);
  return layPack({ tools }, Object.fromEntries(files));
}

export interface LaunchedDev {
  readonly records: RecordLog;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly stdout: () => string;
  /** Resolves when a change has been taken over so many times. */
  reloads(count: number): Promise<unknown>;
  /** Resolves when a service has ended by itself so many times: before, a call may still meet the one that is ending. */
  deaths(count: number): Promise<unknown>;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
}

export interface DevProcess extends LaunchedDev {
  readonly url: string;
  readonly client: PackClient;
}

/** Starts `pack-handler dev` and waits until it serves. */
export async function startDev(
  args: readonly string[],
  env?: Record<string, string>,
  runtime?: RuntimeName,
): Promise<DevProcess> {
  const dev = launchDev(args, env, runtime);
  const { port } = await dev.records.event("listening").catch(() => {
    throw new Error(`dev doesn't listen; it wrote:\n${dev.stdout()}${dev.stderr()}`);
  });
  const url = `http://127.0.0.1:${port}`;
  return { ...dev, url, client: createPackClient({ url, token: TOKEN }) };
}

const RUN: Partial<Record<RuntimeName, readonly string[]>> = {
  deno: ["run", "--allow-all", "--no-lock"],
};

/**
 * Starts `pack-handler dev`; what is left of it after the test is killed.
 *
 * @param runtime default: the one that runs the test
 */
export function launchDev(
  args: readonly string[],
  env: Record<string, string> = {},
  runtime?: RuntimeName,
): LaunchedDev {
  const binary = runtime === undefined ? process.execPath : requireRuntime(runtime);
  const words = runtime === undefined ? [] : (RUN[runtime] ?? []);
  const child = spawn(binary, [...words, CLI, "dev", ...args], {
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      KINDGI_PACK_SERVICE_TOKEN: TOKEN,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const records = new RecordLog();
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  createInterface({ input: child.stderr }).on("line", (line) => {
    stderr += `${line}\n`;
    if (line.startsWith("{")) records.add(JSON.parse(line));
  });
  const exited = once(child, "close").then(([code, signal]) => {
    records.end();
    return { code, signal };
  });
  onTestFinished(async () => {
    // SIGKILL, as that of a test, leaves no service behind.
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
  });
  return {
    records,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    reloads: (count) => records.waitFor(`${count} reloads`, () => records.count(isReload) >= count),
    deaths: (count) => records.waitFor(`${count} deaths`, () => records.count(isDeath) >= count),
    kill: (signal) => void child.kill(signal),
  };
}

export function isReload({ event }: LogRecord): boolean {
  return event === "reloaded";
}

export function isDeath({ event }: LogRecord): boolean {
  return event === "service-ended";
}

export const ctx = { tenantId: "tenant-1", runId: "run-1" };

/** Calls a tool and gives its output. @throws what a call that isn't `ok` came to */
export async function output({ client }: DevProcess, tool: string, input: object = {}) {
  const outcome = await client.invoke(tool, input, { ctx });
  if (outcome.ok) return outcome.output;
  throw new Error(`${tool}: ${outcome.code} ${outcome.message}`);
}

/** Resolves when a process is no more. */
export async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
