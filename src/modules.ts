import { isPackError } from "./pack.ts";
import { modulePaths, normalizeModulePath } from "./pack-index.ts";
import type { PackIndex } from "./pack-index.ts";
import { thrownMessage } from "./thrown.ts";

/**
 * A pack's code by module path, with or without a leading `./`: a module's namespace, or a function that
 * imports it, as `import.meta.glob` makes them.
 */
export type PackModules = Readonly<Record<string, unknown>>;

type Loader = () => unknown;

/** The modules an index names: those at hand, and those still to be imported. */
export interface ModuleSources {
  loaded: Map<string, unknown>;
  loaders: Map<string, Loader>;
}

/** Finds the modules that an index names. One that isn't there is a problem. */
export function findModules(
  index: PackIndex,
  modules: PackModules,
  problems: string[],
): ModuleSources {
  const byPath = new Map<string, unknown>();
  for (const path of Object.keys(modules)) byPath.set(normalizeModulePath(path), modules[path]);
  const sources: ModuleSources = { loaded: new Map(), loaders: new Map() };
  for (const path of modulePaths(index)) {
    const module = byPath.get(path);
    if (typeof module === "function") sources.loaders.set(path, module as Loader);
    else if (module !== undefined) sources.loaded.set(path, module);
    else problems.push(`Missing module: ${path}`);
  }
  return sources;
}

/** Imports side by side what isn't loaded yet. A loader that fails is a problem. */
export async function loadModules(
  sources: ModuleSources,
  problems: string[],
): Promise<Map<string, unknown>> {
  const loads = Array.from(sources.loaders, async ([path, load]) => {
    try {
      return { path, module: await load() };
    } catch (thrown) {
      return { path, thrown };
    }
  });
  const loaded = new Map(sources.loaded);
  for (const load of await Promise.all(loads)) {
    if ("module" in load) loaded.set(load.path, load.module);
    else if (isPackError(load.thrown)) problems.push(...load.thrown.problems);
    else problems.push(`Cannot import ${load.path}: ${thrownMessage(load.thrown)}`);
  }
  return loaded;
}
