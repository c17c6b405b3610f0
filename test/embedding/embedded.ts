import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkAnswer } from "../contract/answer.ts";
import { handlerOptions } from "../contract/in-process.ts";
import { layPack, moduleFiles } from "../contract/packs.ts";
import { exchange, openSocket, sendTo } from "../contract/process.ts";
import { RecordLog } from "../contract/record-log.ts";
import type {
  CaseRequest,
  EmbeddedTarget,
  SocketService,
  StartOptions,
} from "../contract/target.ts";
import { requireRuntime } from "../runtimes/runtimes.ts";
import { snippet, SnippetFolder } from "./snippets.ts";
import { BASE_PATH } from "./ways.ts";
import type { Way } from "./ways.ts";

const HOST = fileURLToPath(new URL("host/host.mjs", import.meta.url));

/** A way of embedding, put to the contract: its example from the documentation runs in a process of its runtime. */
export function embeddedTarget(way: Way): EmbeddedTarget & { end(): Promise<void> } {
  const host = new Host(way);
  const code = snippet(way.name);
  return {
    name: way.name,
    kind: "embedded",
    hasServer: way.platform === undefined,
    start: (options) => host.start(code, options),
    async problems(options) {
      try {
        await host.start(code, options);
      } catch (error) {
        if (error instanceof HostFailure && error.problems) return error.problems;
        throw error;
      }
      throw new Error("the pack was served");
    },
    end: () => host.end(),
  };
}

interface Failure {
  code?: string;
  problems?: string[];
  stack: string;
}

class HostFailure extends Error {
  readonly problems: string[] | undefined;

  constructor({ code, problems, stack }: Failure) {
    super(stack);
    this.problems = code === "PACK_INVALID" ? problems : undefined;
  }
}

interface HostMessage {
  call?: number;
  result?: { port: number };
  failure?: Failure;
  id?: number;
  record?: Parameters<RecordLog["add"]>[0];
}

/** The process that examples of a way run in. */
export class Host {
  readonly #way: Way;
  readonly #folder = new SnippetFolder();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #calls = new Map<number, (message: HostMessage) => void>();
  readonly #logs = new Map<number, RecordLog>();
  readonly #closed: Promise<void>;
  #stderr = "";
  #isClosed = false;
  #last = 0;

  constructor(way: Way) {
    this.#way = way;
    const [file, args] = commandLine(way);
    this.#child = spawn(file, [...args, HOST], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
    });
    this.#child.stderr.on("data", (chunk) => {
      this.#stderr += chunk;
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#receive(line));
    this.#closed = new Promise((resolve) => {
      this.#child.on("close", () => {
        this.#isClosed = true;
        for (const settle of this.#calls.values()) settle({ failure: this.#lost() });
        for (const log of this.#logs.values()) log.end();
        this.#folder.remove();
        resolve();
      });
    });
  }

  /** Runs an example with a pack. */
  async start(code: string, options: StartOptions = {}): Promise<SocketService & { port: number }> {
    const id = (this.#last += 1);
    const pack = layPack(options.pack);
    const records = new RecordLog();
    this.#logs.set(id, records);
    try {
      const { port } = await this.#ask("start", {
        id,
        snippet: this.#folder.lay(code),
        platform: this.#way.platform,
        pack: {
          index: JSON.parse(readFileSync(pack.index, "utf8")),
          root: `${pathToFileURL(pack.moduleRoot).href}/`,
          modules: moduleFiles(pack.moduleRoot),
        },
        lazy: options.lazy ?? false,
        options: handlerOptions(options),
      });
      return this.#service(id, port, records);
    } finally {
      pack.remove();
    }
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#closed;
  }

  #service(id: number, port: number, records: RecordLog): SocketService & { port: number } {
    return {
      port,
      records,
      async send(request: CaseRequest) {
        const path = `${BASE_PATH}${request.path ?? "/v1/invoke"}`;
        // Node closes a connection, when asked to, on a body it hasn't read: then a 413 may be lost.
        const headers = { connection: "keep-alive", ...request.headers };
        return checkAnswer(request, await sendTo(port, { ...request, path, headers }));
      },
      drain: () => void this.#ask("drain", { id }),
      stop: async () => void (await this.#ask("stop", { id })),
      async connect() {
        const socket = await openSocket(port);
        const write = socket.write.bind(socket) as (bytes: unknown) => boolean;
        socket.write = (bytes: unknown) => write(mounted(bytes));
        return socket;
      },
      raw: (bytes, until) => exchange(port, mounted(bytes) as string, until),
    };
  }

  #ask(command: string, parameters: object): Promise<{ port: number }> {
    const call = (this.#last += 1);
    return new Promise((resolve, reject) => {
      this.#calls.set(call, ({ result, failure }) => {
        this.#calls.delete(call);
        if (failure) reject(new HostFailure(failure));
        else resolve(result as { port: number });
      });
      if (this.#isClosed) this.#calls.get(call)?.({ failure: this.#lost() });
      else this.#child.stdin.write(`${JSON.stringify({ command, call, ...parameters })}\n`);
    });
  }

  #receive(line: string): void {
    const { call, id, record, ...outcome } = parse(line);
    if (record && id !== undefined) this.#logs.get(id)?.add(record);
    if (call !== undefined) this.#calls.get(call)?.(outcome);
  }

  #lost(): Failure {
    return { stack: `the host process has ended; it wrote:\n${this.#stderr.slice(-4_000)}` };
  }
}

/** A line of the host's; what examples and frameworks print is none. */
function parse(line: string): HostMessage {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** Request heads that cases write themselves, led to where the pack is mounted. */
function mounted(bytes: unknown): unknown {
  return typeof bytes === "string" ? bytes.replace(/^([A-Z]+) \//, `$1 ${BASE_PATH}/`) : bytes;
}

function commandLine({ runtime }: Way): [string, string[]] {
  if (runtime === "node") return [process.execPath, []];
  const args = runtime === "deno" ? ["run", "--no-prompt", "--allow-all"] : ["run"];
  return [requireRuntime(runtime), args];
}
