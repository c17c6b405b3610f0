import { spawn } from "node:child_process";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { ClientRequest } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import type { RuntimeName } from "../runtimes/runtimes.ts";
import { requireRuntime } from "../runtimes/runtimes.ts";
import { checkAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { denoArguments } from "./deno-task.ts";
import { layPack } from "./packs.ts";
import { RecordLog } from "./record-log.ts";
import { recordProblems } from "./record-shape.ts";
import { requestBody, requestHeaders, requestMethod, TOKEN } from "./target.ts";
import type {
  CaseRequest,
  Exit,
  ProcessOptions,
  ProcessService,
  ProcessTarget,
  StartOptions,
} from "./target.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** Longest wait for an answer or an exit, in milliseconds: only a test that hangs reaches it. */
const MAX_WAIT_MS = 60_000;

/** What stands before a service that has been started. */
export interface Relay {
  /** Where it takes the requests. */
  readonly port: number;
  close(): Promise<void>;
}

interface TargetOptions {
  /** Puts something before each service, which its requests go through. @default nothing */
  relay?: (port: number) => Promise<Relay>;
}

/** The pack service as a process of a runtime. */
export function processTarget(runtime: RuntimeName, { relay }: TargetOptions = {}): ProcessTarget {
  const target: ProcessTarget = {
    name: runtime,
    kind: "process",
    runtime: runtime === "bun" || runtime === "deno" ? runtime : "node",
    spawn: (options) => spawnService(runtime, options),
    async start(options) {
      const service = target.spawn(options);
      try {
        await service.records.event("listening");
      } catch {
        await service.stop();
        throw new Error(`${runtime} doesn't listen; it wrote:\n${service.stderr().slice(-4_000)}`);
      }
      return relay ? relayed(service, await relay(service.port)) : service;
    },
    async problems(options) {
      const service = target.spawn(options);
      const record = await service.records.event("boot-failed");
      const { code } = await service.exited;
      if (code !== 1) throw new Error(`a service that can't boot exited with ${code}, not 1`);
      return record.problems as string[];
    },
  };
  return target;
}

export function commandLine(
  runtime: RuntimeName,
  permissions: readonly string[],
): [string, string[]] {
  const binary = requireRuntime(runtime);
  if (runtime === "bun") return [binary, ["run", "adapters/bun.ts"]];
  if (runtime === "deno") return [binary, denoArguments(permissions)];
  return [binary, ["dist/node.js"]];
}

export function environment(runtime: RuntimeName, options: ProcessOptions): Record<string, string> {
  const env: Record<string, string> = { PATH: process.env.PATH ?? "", HOME: tmpdir(), PORT: "0" };
  // Without these Deno would write to the home and ask the network for a newer version.
  if (runtime === "deno")
    Object.assign(env, { DENO_DIR: `${tmpdir()}/pack-handler-deno`, DENO_NO_UPDATE_CHECK: "1" });
  return { ...env, ...settingsOf(options), ...options.env };
}

/** The environment names that tell a service its settings. */
export function settingsOf(options: StartOptions): Record<string, string> {
  const settings: Record<string, string> = {};
  if (options.token !== null) settings.KINDGI_PACK_SERVICE_TOKEN = options.token ?? TOKEN;
  if (options.envCheck) settings.KINDGI_PACK_ENV_CHECK = options.envCheck;
  if (options.maxConcurrency)
    settings.KINDGI_PACK_SERVICE_MAX_CONCURRENCY = String(options.maxConcurrency);
  if (options.logLevel) settings.KINDGI_LOG_LEVEL = options.logLevel;
  if (options.logLevels) {
    settings.KINDGI_LOG_LEVELS = Object.entries(options.logLevels)
      .map((entry) => entry.join("="))
      .join(",");
  }
  return settings;
}

function spawnService(runtime: RuntimeName, options: ProcessOptions): ProcessService {
  const pack = layPack(options.pack);
  const [file, args] = commandLine(runtime, options.permissions ?? []);
  if (!options.bareArgs)
    args.push("--index", pack.index, "--module-root", pack.moduleRoot, "--host", "127.0.0.1");
  args.push(...(options.args ?? []));
  const child = spawn(file, args, {
    cwd: REPOSITORY,
    env: environment(runtime, options),
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that a task runner and what it started end together.
    detached: true,
  });
  const records = new RecordLog();
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    output.stderr += `${line}\n`;
    const record = parseRecord(line);
    if (record) records.add(record);
  });
  running.add(child.pid as number);
  const exited = once(child, "close").then(([code, signal]): Exit => {
    running.delete(child.pid as number);
    records.end();
    pack.remove();
    return { code, signal };
  });
  const port = () => Number(records.all.find((record) => record.event === "listening")?.port);
  const service: ProcessService = {
    ...requestsTo(port),
    records,
    exited,
    get port() {
      return port();
    },
    pid: child.pid as number,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    signal: (name) => child.kill(name),
    drain: () => child.kill("SIGTERM"),
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => killGroup(child.pid as number), MAX_WAIT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
  return service;
}

function requestsTo(port: () => number): Pick<ProcessService, "send" | "connect" | "raw"> {
  return {
    send: async (request) => checkAnswer(request, await sendTo(port(), request)),
    connect: () => openSocket(port()),
    raw: (bytes, until) => exchange(port(), bytes, until),
  };
}

/** A service that is reached by what stands before it. */
function relayed(service: ProcessService, relay: Relay): ProcessService {
  return {
    ...service,
    ...requestsTo(() => relay.port),
    port: relay.port,
    async stop() {
      await service.stop();
      await relay.close();
    },
  };
}

/** A line as a record, where it is one. */
export function parseRecord(line: string) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What breaks §8 in all that a process has written to stderr, line by line. */
export function stderrProblems(service: ProcessService): string[] {
  const lines = service
    .stderr()
    .split("\n")
    .filter((line) => line !== "");
  return lines.flatMap((line) =>
    recordProblems(line).map((problem) => `${problem}: ${line.slice(0, 300)}`),
  );
}

/** The process groups that a test run which ends early must not leave behind. */
const running = new Set<number>();
process.once("exit", () => running.forEach(killGroup));

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** How a caller's signal ends its connection: by an orderly close, or by a reset. */
export type HangUp = "close" | "reset";

/** One request on a connection of its own. */
export function sendTo(
  port: number,
  request: CaseRequest,
  hangUp: HangUp = "close",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      host: "127.0.0.1",
      port,
      path: request.path ?? "/v1/invoke",
      method: requestMethod(request),
      headers: requestHeaders(request),
      agent: false,
      timeout: MAX_WAIT_MS,
      ...(request.signal && hangUp === "close" && { signal: request.signal }),
    });
    if (hangUp === "reset") {
      request.signal?.addEventListener("abort", () => outgoing.socket?.resetAndDestroy());
    }
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer")));
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const headers = new Headers();
        for (const [name, value] of Object.entries(response.headersDistinct))
          headers.set(name, String(value));
        resolve({
          status: response.statusCode ?? 0,
          headers,
          text: Buffer.concat(chunks).toString(),
        });
        outgoing.destroy();
      });
    });
    void writeBody(outgoing, request).catch(reject);
  });
}

async function writeBody(outgoing: ClientRequest, request: CaseRequest): Promise<void> {
  const body = requestBody(request);
  if (body === undefined) return void outgoing.end();
  if (typeof body === "string" || body instanceof Uint8Array) return void outgoing.end(body);
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    outgoing.write(chunk);
  }
  outgoing.end();
}

export async function openSocket(port: number) {
  const socket = connect({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

export async function exchange(
  port: number,
  bytes: string | Uint8Array,
  until?: (received: string) => boolean,
): Promise<string> {
  const socket = await openSocket(port);
  let received = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open; received: ${received.slice(0, 2_000)}`));
    }, MAX_WAIT_MS);
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (until?.(received)) finish();
    });
    socket.on("close", finish);
    socket.write(bytes);
  });
}
