import process from "node:process";

interface SpawnOptions {
  env?: Record<string, string | undefined>;
}
type Spawn = (command: unknown, options?: SpawnOptions) => unknown;
interface WorkerOptions {
  preload?: string | string[];
}
interface HasWorker {
  Worker: new (file: unknown, options?: WorkerOptions) => object;
}

declare const Bun: { readonly isMainThread: boolean; spawn: Spawn; spawnSync: Spawn };

/**
 * Makes every child and worker that is started from now on get the environment as it is, in workers too. By itself
 * `Bun.spawn` passes on the one the process was started with, deleted variables included, and so does a `Worker`
 * that is given no options. Must run before anything imports `node:worker_threads`.
 */
export function hideDeletedVariables(): void {
  Bun.spawn = passEnvironment(Bun.spawn);
  Bun.spawnSync = passEnvironment(Bun.spawnSync);
  preloadThisFile(globalThis as unknown as HasWorker);
  preloadThisFile(process.getBuiltinModule("node:worker_threads") as unknown as HasWorker);
}

function preloadThisFile(holder: HasWorker): void {
  holder.Worker = new Proxy(holder.Worker, {
    construct(target, [file, options]: [unknown, WorkerOptions?], newTarget): object {
      const preload = [import.meta.url, ...[options?.preload ?? []].flat()];
      return Reflect.construct(target, [file, { ...options, preload }], newTarget);
    },
  });
}

function passEnvironment(spawn: Spawn): Spawn {
  return (command, options) => {
    if (Array.isArray(command)) return spawn(command, withEnvironment(options));
    return spawn(withEnvironment(command as SpawnOptions));
  };
}

function withEnvironment(options: SpawnOptions | undefined): SpawnOptions {
  return { ...options, env: options?.env ?? process.env };
}

// Preloaded by a worker.
if (!Bun.isMainThread) hideDeletedVariables();
