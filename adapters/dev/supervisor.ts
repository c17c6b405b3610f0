import type { Clock } from "../../src/client/caller-scope.ts";
import type { JsonObject } from "../../src/json.ts";
import { Backoff } from "./backoff.ts";
import type { ChildExit, ServiceChild } from "./service-child.ts";
import { Upstream } from "./upstream.ts";

/** After so many reloads in a row that a further change has made useless, the next is let finish. */
const MAX_USELESS = 3;
/** Longest that it is, in milliseconds: it may never end, and the change that mends it be waiting. */
const PATIENCE_MS = 30_000;

/** A pack as a service can be started on it. */
export interface PackPlace {
  index: string;
  moduleRoot: string;
}

export interface ReportedService {
  /** What it said when it listened. */
  listening: JsonObject;
  pack: PackPlace;
  /** The time from the change. */
  bootMs: number;
}

/** What the supervisor tells. */
export interface SupervisorReport {
  /** A reload has begun. */
  loading(): void;
  /** A service has taken over. */
  serving(service: ReportedService): void;
  /** A reload came to nothing. */
  failed(problems: readonly string[], isServing: boolean): void;
  /** Changes have come so fast that no reload could finish. `paths` are what changed and wasn't told of before. */
  restless(paths: readonly string[]): void;
  /** The service that was serving has ended by itself. `restartMs` is `undefined` when another is on its way. */
  ended(exit: ChildExit, restartMs: number | undefined): void;
}

type Child = Pick<ServiceChild, "booted" | "exited" | "stop" | "kill">;

export interface SupervisorOptions {
  /** Makes the pack's index, or finds it. The signal aborts when a newer change makes this one useless. */
  makeIndex: (signal: AbortSignal) => Promise<PackPlace | { problems: readonly string[] }>;
  startChild: (pack: PackPlace) => Promise<Child>;
  /** Where the requests are to go. */
  front: { upstream: Upstream | undefined };
  report: SupervisorReport;
  clock: Clock;
}

interface Serving {
  child: Child;
  upstream: Upstream;
  since: number;
}

/**
 * Keeps one service of the pack serving: on a change it starts another, and lets that take over once it listens. The
 * newest change wins; what fails changes nothing.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #backoff = new Backoff();
  readonly #children = new Set<Child>();
  #serving: Serving | undefined;
  /** The reload under way. */
  #reload: AbortController | undefined;
  #reloadSince = 0;
  /** How many reloads in a row were given up for a further change, and what changed meanwhile. */
  #useless = 0;
  #changedPaths = new Set<string>();
  readonly #toldPaths = new Set<string>();
  /** Whether the pack has changed since the reload under way began. */
  #isOutdated = false;
  #cancelRestart: (() => void) | undefined;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /**
   * Starts over with the pack as it is now; later when changes don't stop, or nothing would ever be served.
   *
   * @param paths what has changed
   */
  changed(paths: readonly string[]): void {
    this.#backoff.reset();
    if (this.#reload !== undefined) {
      for (const path of paths) this.#changedPaths.add(path);
      const isInTime = this.#options.clock.now() - this.#reloadSince < PATIENCE_MS;
      if (this.#useless >= MAX_USELESS && isInTime) return this.#postpone();
      this.#useless += 1;
    }
    void this.#load();
  }

  /** Drains every service. Resolves when none is left. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelRestart?.();
    this.#reload?.abort();
    await Promise.all([...this.#children].map((child) => child.stop()));
  }

  /** Ends every service at once. */
  kill(): void {
    for (const child of this.#children) child.kill();
  }

  /** Leaves a change until the reload under way has finished. */
  #postpone(): void {
    this.#isOutdated = true;
    const news = [...this.#changedPaths].filter((path) => !this.#toldPaths.has(path));
    for (const path of news) this.#toldPaths.add(path);
    if (news.length > 0) this.#options.report.restless(news);
  }

  /** A reload has finished: what has changed meanwhile is next. */
  #catchUp(): void {
    this.#useless = 0;
    this.#changedPaths.clear();
    if (this.#isOutdated) void this.#load();
  }

  async #load(): Promise<void> {
    if (this.#isStopping) return;
    this.#isOutdated = false;
    const { report, clock, makeIndex } = this.#options;
    this.#cancelRestart?.();
    this.#reload?.abort();
    const reload = new AbortController();
    this.#reload = reload;
    const start = clock.now();
    this.#reloadSince = start;
    report.loading();
    const made = await makeIndex(reload.signal);
    if (reload.signal.aborted) return;
    if ("problems" in made) {
      this.#fail(made.problems);
      return this.#catchUp();
    }
    const child = await this.#start(made, reload.signal);
    const boot = await child.booted;
    if (reload.signal.aborted) return;
    if ("port" in boot) {
      const { port, listening } = boot;
      this.#takeOver(child, port);
      report.serving({ listening, pack: made, bootMs: clock.now() - start });
      return this.#catchUp();
    }
    this.#fail(boot.problems);
    // Why is not known, so it may go away by itself.
    if (!boot.isExplained && !this.#serving) this.#restartIn(this.#backoff.delayMs(0));
    this.#catchUp();
  }

  async #start(pack: PackPlace, signal: AbortSignal): Promise<Child> {
    const child = await this.#options.startChild(pack);
    this.#children.add(child);
    void child.exited.then(() => this.#children.delete(child));
    if (signal.aborted) void child.stop();
    else signal.addEventListener("abort", () => void child.stop());
    return child;
  }

  #fail(problems: readonly string[]): void {
    this.#reload = undefined;
    this.#options.report.failed(problems, this.#serving !== undefined);
  }

  #takeOver(child: Child, port: number): void {
    const { front, clock } = this.#options;
    const old = this.#serving;
    const upstream = new Upstream(port);
    this.#reload = undefined;
    this.#serving = { child, upstream, since: clock.now() };
    front.upstream = upstream;
    void child.exited.then((exit) => this.#onExit(child, exit));
    if (old) void retire(old);
  }

  #onExit(child: Child, exit: ChildExit): void {
    if (this.#serving?.child !== child || this.#isStopping) return;
    const upMs = this.#options.clock.now() - this.#serving.since;
    this.#serving = undefined;
    this.#options.front.upstream = undefined;
    if (this.#reload) return this.#options.report.ended(exit, undefined);
    const delayMs = this.#backoff.delayMs(upMs);
    this.#options.report.ended(exit, delayMs);
    this.#restartIn(delayMs);
  }

  #restartIn(delayMs: number): void {
    this.#cancelRestart = this.#options.clock.startTimer(delayMs, () => void this.#load());
  }
}

/** A draining service refuses calls, so it is told to only when none is on its way to it. */
async function retire({ child, upstream }: Serving): Promise<void> {
  await upstream.untilIdle();
  await child.stop();
}
