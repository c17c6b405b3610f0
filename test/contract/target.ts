import type { Socket } from "node:net";
import type { LogLevel } from "../../src/records.ts";
import type { Answer } from "./answer.ts";
import type { RecordLog } from "./record-log.ts";

/** A pack to serve: an index, and its modules' text where they aren't the fixture pack's. */
export interface PackSource {
  /** A text is written as it is. @default the fixture pack's index */
  index?: unknown;
  /** Path below the module root → text. @default the fixture pack's folder is the module root */
  files?: Readonly<Record<string, string>>;
}

/** How a service is started. Equal ones are shared by the cases of a file. */
export interface StartOptions {
  pack?: PackSource;
  /** @default TOKEN; `null`: none */
  token?: string | null;
  /** The environment beside what the runtime needs. */
  env?: Readonly<Record<string, string>>;
  envCheck?: "strict" | "warn";
  maxConcurrency?: number;
  logLevel?: LogLevel;
  logLevels?: Readonly<Record<string, LogLevel>>;
  /** In-process only: every module is given as a function that imports it. */
  lazy?: boolean;
}

/** A process's own settings: what they name replaces what the target would have passed. */
export interface ProcessOptions extends StartOptions {
  args?: readonly string[];
  /** Leaves out `--index`, `--module-root` and `--host`. */
  bareArgs?: boolean;
  /** What pack code does that a runtime with permissions forbids by itself. */
  permissions?: readonly ("run" | "write")[];
}

/** One request of a case. */
export interface CaseRequest {
  method?: string;
  /** @default "/v1/invoke" */
  path?: string;
  /** Beside the token and the content type, which `null` takes out. */
  headers?: Readonly<Record<string, string | null>>;
  /** An object is sent as JSON. A generator is sent in chunks, without a length. */
  body?: string | Uint8Array | object | (() => AsyncIterable<Uint8Array>);
  signal?: AbortSignal;
  /** Whether the signal ends the connection by an orderly close, also where a reset is what gets noticed. */
  closes?: boolean;
}

export interface Service {
  readonly records: RecordLog;
  /** Sends a request and checks what every answer must be. Rejects when the connection ends without an answer. */
  send(request: CaseRequest): Promise<Answer>;
  /** Asks the service to drain: by SIGTERM, where it is a process. */
  drain(): void;
  /** Drains and waits for the end. */
  stop(): Promise<void>;
}

/** A service that is reached over a connection. */
export interface SocketService extends Service {
  /** A connection of the caller's own. */
  connect(): Promise<Socket>;
  /** Writes bytes to a new connection; resolves with all that comes until the service closes it, or `until` is met. */
  raw(bytes: string | Uint8Array, until?: (received: string) => boolean): Promise<string>;
}

export interface Exit {
  code: number | null;
  signal: string | null;
}

export interface ProcessService extends SocketService {
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** All that it has written, records and what pack code wrote between them. */
  stderr(): string;
  stdout(): string;
  signal(name: "SIGTERM" | "SIGINT"): void;
}

interface TargetBase {
  readonly name: string;
  start(options: StartOptions): Promise<Service>;
  /** Why a pack is not served: every problem. Fails when it is served. */
  problems(options: StartOptions): Promise<string[]>;
}

export interface InProcessTarget extends TargetBase {
  readonly kind: "in-process";
}

export interface ProcessTarget extends TargetBase {
  readonly kind: "process";
  readonly runtime: "node" | "bun" | "deno";
  start(options: ProcessOptions): Promise<ProcessService>;
  /** Starts the process and doesn't wait for it to listen. */
  spawn(options: ProcessOptions): ProcessService;
}

/** The fetch handler within a framework. */
export interface EmbeddedTarget extends TargetBase {
  readonly kind: "embedded";
  /** Whether the framework's own server listens, so that connections show what it does. */
  readonly hasServer: boolean;
  start(options: StartOptions): Promise<SocketService>;
}

/** A runtime that serves a compiled pack's worker. */
export interface EdgeTarget extends TargetBase {
  readonly kind: "edge";
}

export type Target = InProcessTarget | ProcessTarget | EmbeddedTarget | EdgeTarget;

export const TOKEN = "contract-token~!x9";

/** The headers of a request: what a case leaves out is what most requests need. */
export function requestHeaders(request: CaseRequest): Record<string, string> {
  const defaults: Record<string, string> = { "kindgi-pack-token": TOKEN };
  if (request.body !== undefined) defaults["content-type"] = "application/json";
  const headers = { ...defaults, ...request.headers };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** A request's body, ready to be sent. */
export function requestBody(
  request: CaseRequest,
): string | Uint8Array | AsyncIterable<Uint8Array> | undefined {
  const { body } = request;
  if (typeof body === "function") return (body as () => AsyncIterable<Uint8Array>)();
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

export function requestMethod(request: CaseRequest): string {
  return request.method ?? (request.body === undefined ? "GET" : "POST");
}
