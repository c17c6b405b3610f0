import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer, connect, Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { TestContext } from "vitest";
import { createPackClient } from "../../src/client.ts";
import type { PackClient } from "../../src/client.ts";
import { layPack } from "../contract/packs.ts";
import { commandLine, environment } from "../contract/process.ts";
import { RecordLog } from "../contract/record-log.ts";
import { TOKEN } from "../contract/target.ts";
import type { Exit, ProcessOptions } from "../contract/target.ts";
import type { RuntimeName } from "../runtimes/runtimes.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** Longest wait of a test, in milliseconds: only one that hangs reaches it. */
export const MAX_WAIT_MS = 60_000;

export const RUNTIMES = ["node20", "bun", "deno"] as const satisfies readonly RuntimeName[];

export interface FaultyOptions extends ProcessOptions {
  /** What a shell does first in the process that becomes the service, such as `ulimit -n 64`. */
  shell?: string;
  /** A redirection of the shell's: `2>/dev/full`. Without one, stderr is a pipe that is read when `readStderr` is called. */
  redirection?: string;
  /** Leaves the pipe of stderr unread at first. */
  isUnread?: boolean;
  /** That of a concurrent test's context: the global one would take whichever test came last for it. */
  onTestFinished?: TestContext["onTestFinished"];
}

/** A service as one process of its own, with whatever is wrong around it. */
export interface FaultyService {
  readonly port: number;
  readonly pid: number;
  readonly records: RecordLog;
  readonly exited: Promise<Exit>;
  readonly client: PackClient;
  stderr(): string;
  /** Reads stderr from now on, or closes its reader. */
  readStderr(): void;
  closeStderr(): void;
  kill(signal: NodeJS.Signals): void;
  residentBytes(): number;
  peakResidentBytes(): number;
  connect(): Promise<Socket>;
  /** Resolves once it takes calls. */
  untilReady(): Promise<void>;
}

/** Starts a service; what is left of it after the test is killed. */
export async function startFaulty(
  runtime: RuntimeName,
  options: FaultyOptions = {},
): Promise<FaultyService> {
  const port = Number(options.env?.PORT ?? (await freePort()));
  const pack = layPack(options.pack);
  // Named permissions make Deno a single process, where its task would be two.
  const [file, args] = commandLine(runtime, options.permissions ?? ["write"]);
  args.push("--index", pack.index, "--module-root", pack.moduleRoot, "--host", "127.0.0.1");
  const pipe = makePipe();
  const script = `${options.shell ?? ":"}; exec "$0" "$@" ${options.redirection ?? ""}`;
  const child = spawn("/bin/sh", ["-c", script, file, ...args], {
    cwd: REPOSITORY,
    env: environment(runtime, { ...options, env: { ...options.env, PORT: String(port) } }),
    stdio: ["ignore", "ignore", pipe.write],
    detached: true,
  });
  closeSync(pipe.write);
  const records = new RecordLog();
  let stderr = "";
  const reader = new Socket({ fd: pipe.read, readable: true, writable: false });
  reader.on("error", () => {});
  const ended = once(reader, "close");
  const exited = once(child, "exit").then(async ([code, signal]): Promise<Exit> => {
    reader.resume();
    await ended;
    records.end();
    return { code, signal };
  });
  const readStderr = () => {
    createInterface({ input: reader }).on("line", (line) => {
      stderr += `${line}\n`;
      const record = parseRecord(line);
      if (record) records.add(record);
    });
  };
  if (!options.isUnread) readStderr();
  const kill = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  (options.onTestFinished ?? onTestFinished)(async () => {
    kill("SIGKILL");
    reader.resume();
    await exited;
    pack.remove();
  });
  const client = createPackClient({ url: `http://127.0.0.1:${port}`, token: TOKEN });
  return {
    port,
    pid: child.pid as number,
    records,
    exited,
    client,
    stderr: () => stderr,
    readStderr,
    closeStderr: () => void reader.destroy(),
    kill,
    residentBytes: () => memoryBytes(child.pid as number, "VmRSS"),
    peakResidentBytes: () => memoryBytes(child.pid as number, "VmHWM"),
    connect: () => openSocket(port),
    async untilReady() {
      const end = Date.now() + MAX_WAIT_MS;
      while (Date.now() < end && child.exitCode === null) {
        const isReady = await client.ready().then(
          ({ ready }) => ready,
          () => false,
        );
        if (isReady) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`${runtime} doesn't become ready; it wrote:\n${stderr.slice(-4_000)}`);
    },
  };
}

/** A line that a kill has cut, or that a runtime itself wrote, is none. */
function parseRecord(line: string) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A real pipe, which Node's own "pipe" isn't: that is a pair of sockets. */
function makePipe(): { read: number; write: number } {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-pipe-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  rmSync(folder, { recursive: true });
  return { read, write };
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function memoryBytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status) ?? [];
  return Number(kibibytes) * 1_024;
}

let calls = 0;

/** What a call is made under: an id of its own. */
export function nextContext(): { tenantId: string; runId: string; requestId: string } {
  calls += 1;
  return { tenantId: "tenant-1", runId: "run-1", requestId: `call-${process.pid}-${calls}` };
}
