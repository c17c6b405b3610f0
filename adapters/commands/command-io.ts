import type { Clock } from "../../src/client/caller-scope.ts";
import type { FetchFunction } from "../../src/client/exchange.ts";
import type { ProcessExit } from "../indexing/exit-problems.ts";
import { painter } from "../paint.ts";
import type { Paint } from "../paint.ts";

export interface CommandOutput {
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** Told that pack code ends the process. Returns the code to exit with, or `undefined` when it has told nobody. */
export type PackExitListener = (exit: ProcessExit) => number | undefined;

/** What a command has of its process. */
export interface CommandIo {
  /** The URL of the command line's entry point, for commands that start processes of their own. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Everything that stdin holds. */
  readStdin(): Promise<string>;
  /** Asks a person for a line; absent where none is at a terminal. */
  ask?(question: string): Promise<string>;
  /** For a command that runs pack code, which may end the process: what the listener writes is still seen. */
  onPackExit?(listener: PackExitListener): void;
  /** @default the global fetch */
  readonly fetch?: FetchFunction;
  /** Test seam. @default the system's */
  readonly clock?: Clock;
}

/** Colours for a terminal, unless `NO_COLOR` is set and not empty. */
export function painterFor(output: CommandOutput, environment: CommandIo["environment"]): Paint {
  return painter(output.isTerminal && !environment.NO_COLOR);
}

/** How many there are of what a regular plural names. */
export function counted(list: readonly unknown[], name: string): string {
  return list.length === 1 ? `1 ${name}` : `${list.length} ${name}s`;
}

/** A command line that can't be followed. */
export class UsageError extends Error {}
