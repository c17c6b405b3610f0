import type { PackHandlerOptions } from "../src/options.ts";

/** Signals that end the service in order. */
export const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** What escaped from pack code: a throw outside a call, or a rejection that nobody handles. */
export interface Fault {
  kind: "uncaught-exception" | "unhandled-rejection";
  error: unknown;
}

export interface HostEnvironment {
  /** Every name and its value, as they are now. */
  all(): Record<string, string>;
  /** Removes a name here and for every child and worker started from now on. */
  delete(name: string): void;
  /** Whether `Path` and `PATH` are one name, as on Windows. */
  readonly ignoresCase: boolean;
  /** Names that the runtime itself reads while it runs. */
  readonly runtimeNames: readonly string[];
}

export interface HostOutput {
  readonly isTerminal: boolean;
  /**
   * Writes at once what is taken without waiting, and returns how many bytes that was: 0 when the reader is behind.
   * Afterwards the bytes are the caller's again.
   * @throws when nothing can be written any more, or not now (the reader is gone, the disk is full)
   */
  write(bytes: Uint8Array): number;
  /** Whether somebody else's text stands unfinished on the current line, as far as that can be known. */
  isMidLine(): boolean;
  /** Whether somebody else's text still waits for the reader, and would be lost if the process ended now. */
  isHolding(): boolean;
  /** Resolves when a write is worth trying again, where the runtime tells; `undefined` when it is now. */
  untilWritable?(): Promise<void> | undefined;
  /** The process is ending, and nothing runs any more but writes: they may block. */
  becomeSync?(sleepSync: (ms: number) => void): void;
}

export interface HostFiles {
  /** @throws when there is no such file, or it can't be read */
  readText(path: string): Promise<string>;
  /** Whether there is a file, by itself or through a link. */
  isFile(path: string): boolean;
}

/** What an adapter hands to `createPackHandler` because its runtime has a better way than the web's. */
export type HandlerSeams = Pick<
  PackHandlerOptions,
  "Response" | "readBody" | "decodeBody" | "onDisconnect" | "isExotic"
>;

export interface ServeOptions {
  handler: (request: Request) => Promise<Response>;
  /** @default every interface, IPv4 and IPv6 */
  hostname: string | undefined;
  /** 0 picks a free one. */
  port: number;
}

export interface HostServer {
  readonly port: number;
  /** The address that is bound. */
  readonly hostname: string;
  /**
   * Stops accepting, closes idle connections, waits until the answers under way have been handed to the network, and
   * closes what is left. Takes at most `limitMs`.
   */
  close(limitMs: number): Promise<void>;
}

/** What a runtime gives the process contract (contract §7). */
export interface Host {
  /** What stands behind the entry file on the command line. */
  readonly argv: readonly string[];
  readonly environment: HostEnvironment;
  readonly stdout: HostOutput;
  readonly stderr: HostOutput;
  readonly files: HostFiles;
  readonly seams: HandlerSeams;
  onSignal(listener: (signal: StopSignal) => void): void;
  onFault(listener: (fault: Fault) => void): void;
  /** The listener runs last, also when pack code ends the process; it returns the code to exit with. */
  onExit(listener: (code: number) => number): void;
  exit(code: number): void;
  /** Imports the module in a file. */
  import(path: string): Promise<unknown>;
  /** Gives up what pack code must not have and this runtime can take back: reading anything but these paths. */
  confine?(readablePaths: readonly string[]): void;
  /** @throws when the address can't be bound */
  serve(options: ServeOptions): HostServer | Promise<HostServer>;
  /** Runs a callback once in this turn of the event loop, after what is due in it. */
  afterTurn(callback: () => void): void;
  /** Keeps the process alive until it is told to exit. */
  stayAlive(): void;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Blocks the thread. */
  sleepSync(ms: number): void;
}
