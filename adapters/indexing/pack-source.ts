import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { importFile } from "../import-file.ts";
import type { BundleMap } from "../pack-files.ts";

/** Longest that a module may take to load, in milliseconds. */
const IMPORT_LIMIT_MS = 60_000;

/** The files of a pack under their source paths, whether they are run from there or from a build. */
export interface PackSource {
  readonly root: string;
  /** Source paths of the modules that a build holds. */
  readonly built: readonly string[];
  /** The file that is read for a source path. */
  fileOf(path: string): string;
  /** @throws what the module throws, or when it doesn't finish loading */
  import(path: string): Promise<unknown>;
}

/** @param loading holds the paths of the modules that are being imported, at any moment */
export function packSource(
  root: string,
  { paths }: BundleMap,
  loading = new Set<string>(),
): PackSource {
  const fileOf = (path: string) => resolve(root, paths.get(path) ?? path);
  return {
    root,
    built: [...paths.keys()],
    fileOf,
    async import(path) {
      loading.add(path);
      try {
        return await withinLimit(importFile(fileOf(path)));
      } finally {
        loading.delete(path);
      }
    },
  };
}

async function withinLimit(loading: Promise<unknown>): Promise<unknown> {
  const stop = new AbortController();
  const limit = sleep(IMPORT_LIMIT_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`it hasn't finished loading after ${IMPORT_LIMIT_MS / 1_000} s`);
  });
  try {
    return await Promise.race([loading, limit]);
  } finally {
    stop.abort();
  }
}
