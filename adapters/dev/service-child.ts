import { once } from "node:events";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import { PATHS } from "../../src/paths.ts";
import { spawnGuarded } from "./guarded-spawn.ts";
import type { GuardedProcess } from "./guarded-spawn.ts";

/** A drain takes up to 8 s; a service that is still there after this, in milliseconds, is killed. */
const STOP_LIMIT_MS = 10_000;
const POLL_MS = 100;

export interface ServiceChildOptions {
  /** The command and its arguments. */
  words: readonly string[];
  cwd?: string | undefined;
  env: NodeJS.ProcessEnv;
  /** A port that was given to a service which may not say when it listens: it is asked at `/readyz`. */
  port?: number | undefined;
  onRecord: (record: JsonObject, line: string) => void;
  /** A line that is no record: what pack code prints. */
  onText: (line: string, output: "stdout" | "stderr") => void;
}

export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Booted {
  port: number;
  /** Its `listening` record; empty for a service that writes none. */
  listening: JsonObject;
}

/** How a boot ended: the service listens, or why it doesn't. */
export type Boot =
  | Booted
  /** `isExplained`: the service itself has said why, so that another try would end alike. */
  | { problems: readonly string[]; isExplained: boolean };

/** A pack service as a process of its own. */
export class ServiceChild {
  /** Never rejects. */
  readonly booted: Promise<Boot>;
  /** Resolves when nothing of it is left. */
  readonly exited: Promise<ChildExit>;
  readonly #options: ServiceChildOptions;
  readonly #guarded: GuardedProcess;
  #problems: string[] = [];
  #resolveBoot: (boot: Boot) => void = () => {};
  #isBooted = false;
  #isOver = false;

  constructor(options: ServiceChildOptions) {
    this.#options = options;
    this.#guarded = spawnGuarded(options.words, options);
    this.booted = new Promise((resolve) => {
      this.#resolveBoot = resolve;
    });
    const { stdout, stderr } = this.#guarded;
    createInterface({ input: stdout }).on("line", (line) => options.onText(line, "stdout"));
    createInterface({ input: stderr }).on("line", (line) => this.#onLine(line));
    this.exited = this.#untilExited();
    if (options.port !== undefined) void this.#poll(options.port);
  }

  /** Drains the service; kills it when that takes longer than 10 s. */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#guarded.signal("SIGTERM");
    const limit = new AbortController();
    const kill = sleep(STOP_LIMIT_MS, undefined, { signal: limit.signal }).then(
      () => this.kill(),
      () => {},
    );
    await this.exited;
    limit.abort();
    await kill;
  }

  kill(): void {
    if (!this.#isOver) this.#guarded.signalGroup("SIGKILL");
  }

  async #untilExited(): Promise<ChildExit> {
    const { process: child, stdout, stderr } = this.#guarded;
    const ended = Promise.all([stdout, stderr].map((output) => once(output, "close")));
    const [code, signal] = (await once(child, "exit").catch((error: Error) => {
      this.#problems.push(`Cannot start ${this.#options.words[0]}: ${error.message}`);
      return [null, null];
    })) as [number | null, NodeJS.Signals | null];
    // What a wrapper such as npm has started outlives it: it drains too, and its outputs end with it.
    this.#guarded.signalGroup("SIGTERM");
    const limit = new AbortController();
    await Promise.race([
      ended.catch(() => {}),
      sleep(STOP_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => {}),
    ]);
    limit.abort();
    this.kill();
    this.#isOver = true;
    this.#guarded.release();
    this.#endBoot(this.#failedBoot(code, signal));
    return { code, signal };
  }

  #endBoot(boot: Boot): void {
    this.#isBooted = true;
    this.#resolveBoot(boot);
  }

  #failedBoot(code: number | null, signal: NodeJS.Signals | null): Boot {
    if (this.#problems.length > 0) return { problems: this.#problems, isExplained: true };
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    return { problems: [`The service ${how} before it listened`], isExplained: false };
  }

  #onLine(line: string): void {
    const record = parseRecord(line);
    if (!record) return this.#options.onText(line, "stderr");
    const { kind, port, problems } = record;
    if (kind === "listening" && typeof port === "number") {
      this.#endBoot({ port, listening: record });
    }
    if ((kind === "boot-failed" || kind === "config-invalid") && Array.isArray(problems)) {
      this.#problems.push(...problems.map(String));
    }
    this.#options.onRecord(record, line);
  }

  /** Asks a service that may never write its `listening` whether it takes calls. */
  async #poll(port: number): Promise<void> {
    while (!this.#isBooted && !(await isUp(port))) await sleep(POLL_MS);
    this.#endBoot({ port, listening: {} });
  }
}

/** Also when only an environment name is missing: that is for its developer to see, and no boot any more. */
async function isUp(port: number): Promise<boolean> {
  try {
    const asking = get({ host: "127.0.0.1", port, path: PATHS.ready, agent: false });
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    const body = await text(answer);
    return answer.statusCode === 200 || body.includes('"missing env"');
  } catch {
    return false;
  }
}

function parseRecord(line: string): JsonObject | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const record: unknown = JSON.parse(line);
    const isRecord = isObject(record) && (typeof record.kind === "string" || "level" in record);
    return isRecord ? record : undefined;
  } catch {
    return undefined;
  }
}
