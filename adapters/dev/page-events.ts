// What dev tells its page. The page imports this file, too: types alone.

/** Something of the pack's that can be called. */
export interface PageTarget {
  kind: "tool" | "check";
  id: string;
  version?: string;
  description?: string;
  /** A tool's input or a check's config. */
  input: unknown;
  /** A tool's alone. */
  output?: unknown;
  /** What a check's guardrail is configured with. */
  config?: unknown;
}

export interface PagePack {
  id: string;
  version: string;
  artifactVersion: string;
  targets: PageTarget[];
}

export interface PageStatus {
  /** `stale`: what was served before the last change goes on. `down`: nothing is served. */
  state: "loading" | "serving" | "stale" | "down";
  problems: readonly string[];
}

export interface PageCall {
  /** ISO 8601. */
  time: string;
  target: "tool" | "check";
  id: string;
  /** `ok`, or why not. */
  outcome: string;
  durationMs: number;
}

/** The events by their names. `calls` holds those that the page hasn't been told of. */
export interface PageEvents {
  status: PageStatus;
  pack: PagePack;
  calls: PageCall[];
}
