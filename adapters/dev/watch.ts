import { relative, resolve, sep } from "node:path";
import { watch } from "chokidar";
import type { Clock } from "../../src/client/caller-scope.ts";

/** Saves that follow each other sooner than this, in milliseconds, are one: editors and checkouts write in bursts. */
const QUIET_MS = 80;

/** Written by tools, not by hand: packages, caches, builds. */
const IGNORED_NAMES = new Set([
  "node_modules",
  "__pycache__",
  "bower_components",
  "build",
  "coverage",
  "dist",
  "out",
  "target",
]);

export interface WatchOptions {
  /** The folder that is watched, with all that is below it. */
  root: string;
  /** Files that are watched wherever they are, whatever their names. */
  files?: readonly string[];
  /** Names of files and folders, or paths below the root, that are left alone. */
  ignored?: readonly string[];
  /** Called once after a burst of changes, with the files that changed, relative to the root. */
  onChange: (paths: readonly string[]) => void;
  /** Told when something can't be watched; the rest still is. */
  onError: (error: Error) => void;
  clock: Clock;
}

export interface Watching {
  close(): Promise<void>;
}

/** Watches a pack's sources. Resolves when every change from now on is seen. */
export async function watchPack(options: WatchOptions): Promise<Watching> {
  const { root, files = [], onError } = options;
  const burst = new Burst(options);
  const isIgnored = ignoreFilter(options);
  const watcher = watch([root, ...files], {
    ignoreInitial: true,
    ignored: (path) => isIgnored(path),
  });
  watcher.on("all", (_event, path) => burst.add(relative(root, path)));
  watcher.on("error", (error) => onError(error as Error));
  await new Promise<void>((ready) => watcher.once("ready", () => ready()));
  return {
    close() {
      burst.drop();
      return watcher.close();
    },
  };
}

/** Whether a path is none of the pack's sources. */
export function ignoreFilter({
  root,
  files = [],
  ignored = [],
}: Pick<WatchOptions, "root" | "files" | "ignored">): (path: string) => boolean {
  const kept = new Set(files.map((file) => resolve(file)));
  const left = new Set(ignored.map((path) => path.replace(/[\\/]+$/, "")));
  return (path) => {
    if (path === root || kept.has(resolve(path))) return false;
    const segments = relative(root, path).split(sep);
    return (
      segments.some(isToolsName) ||
      segments.some((name, i) => {
        return left.has(name) || left.has(segments.slice(0, i + 1).join("/"));
      })
    );
  };
}

/**
 * Dot files are version control, editors' and tools'; `~` ends what an editor keeps of an older text. A log may be this
 * command's own output: each line would start the pack over, and with that write the next.
 */
function isToolsName(name: string): boolean {
  return /^\.|(?:~|\.log)$/.test(name) || IGNORED_NAMES.has(name);
}

/** Changes that come together. */
class Burst {
  readonly #options: Pick<WatchOptions, "onChange" | "clock">;
  #paths = new Set<string>();
  #cancel: (() => void) | undefined;

  constructor(options: Pick<WatchOptions, "onChange" | "clock">) {
    this.#options = options;
  }

  add(path: string): void {
    this.#paths.add(path);
    this.#cancel?.();
    this.#cancel = this.#options.clock.startTimer(QUIET_MS, () => this.#end());
  }

  drop(): void {
    this.#cancel?.();
  }

  #end(): void {
    const paths = [...this.#paths];
    this.#paths = new Set();
    this.#options.onChange(paths);
  }
}
