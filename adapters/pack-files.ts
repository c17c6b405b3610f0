import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { PackModules } from "../src/modules.ts";
import { PackError } from "../src/pack.ts";
import { checkPackIndex, modulePaths, normalizeModulePath } from "../src/pack-index.ts";
import type { PackIndex } from "../src/pack-index.ts";
import { thrownMessage } from "../src/thrown.ts";
import type { Config } from "./config.ts";
import type { Host, HostFiles } from "./host.ts";

/** A pack on disk. */
export interface PackFiles {
  index: PackIndex;
  /** Loaders of every module. One without a file rejects with its problem, once it was asked for. */
  modules: PackModules;
  /** What has to be readable to import them. */
  readablePaths: readonly string[];
}

export type Places = Pick<Config, "index" | "moduleRoot" | "bundleMap">;

/** A checked index, and where its modules should be. */
export interface LocatedPack {
  index: PackIndex;
  indexPath: string;
  root: string;
  modules: readonly LocatedModule[];
}

/** A module's path in the index, its file, and its bundle where it has one. */
export interface LocatedModule {
  path: string;
  file: string;
  bundle: string | undefined;
}

/**
 * Reads and checks a pack's index and tells the file of every module it names (contract §7), whether or not there is one. A
 * module outside the module root is a problem; a link inside it may point anywhere.
 */
export async function locatePack(
  files: HostFiles,
  places: Places,
): Promise<LocatedPack | { problems: readonly string[] }> {
  const indexPath = resolve(places.index);
  const read = await readIndexFile(files, indexPath);
  if ("problem" in read) return { problems: [read.problem] };
  const checked = checkPackIndex(read.json);
  if ("problems" in checked) return checked;
  const { index } = checked;
  const root = resolve(places.moduleRoot ?? dirname(indexPath));
  const bundles = await readBundleMap(files, places.bundleMap, root);
  if (bundles.problems.length > 0) return { problems: bundles.problems };
  const modules = modulePaths(index).map((path) => {
    const bundle = bundles.paths.get(path);
    return { path, file: join(root, bundle ?? path), bundle };
  });
  return { index, indexPath, root, modules };
}

/** The problem of a module without a file. */
export function missingProblem(
  files: HostFiles,
  { path, file, bundle }: LocatedModule,
): string | undefined {
  if (files.isFile(file)) return undefined;
  return `Missing module: ${path}${bundle === undefined ? "" : ` (bundle ${bundle})`}`;
}

/** Finds a pack's files, to be imported by the host. */
export async function findPackFiles(
  host: Pick<Host, "files" | "import">,
  places: Places,
): Promise<PackFiles | { problems: readonly string[] }> {
  const located = await locatePack(host.files, places);
  if ("problems" in located) return located;
  const { index, indexPath, root } = located;
  // A hash table from the start: V8 takes 20 ms to give any other object a thousand members.
  const modules: Record<string, unknown> = Object.create(null);
  for (const module of located.modules) modules[module.path] = () => importModule(host, module);
  return { index, modules, readablePaths: [indexPath, root] };
}

/** Whether there is a file is asked only if the import fails: a thousand answers take a twentieth of a boot. */
function importModule(
  host: Pick<Host, "files" | "import">,
  module: LocatedModule,
): Promise<unknown> {
  return host.import(module.file).catch((error: unknown) => {
    const problem = missingProblem(host.files, module);
    throw problem === undefined ? error : new PackError([problem]);
  });
}

export interface BundleMap {
  /** Normalised module path → path of its bundle, relative to the module root. */
  paths: Map<string, string>;
  problems: string[];
}

/** Reads a bundle map; without a file it is empty. */
export async function readBundleMap(
  files: HostFiles,
  file: string | undefined,
  root: string,
): Promise<BundleMap> {
  const map: BundleMap = { paths: new Map(), problems: [] };
  if (file === undefined) return map;
  const read = await readJson(files, resolve(file), "bundle map");
  if ("problem" in read) return { ...map, problems: [read.problem] };
  const { json } = read;
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return {
      ...map,
      problems: [`Cannot read the bundle map ${resolve(file)}: it is not a JSON object`],
    };
  }
  for (const [source, bundle] of Object.entries(json)) {
    if (isInside(root, bundle)) map.paths.set(normalizeModulePath(source), bundle);
    else map.problems.push(wrongBundle(source, bundle));
  }
  return map;
}

function wrongBundle(source: string, bundle: unknown): string {
  const given = JSON.stringify(bundle);
  return `The bundle map's ${JSON.stringify(source)} must be a path inside the module root, not ${given}`;
}

function isInside(root: string, path: unknown): path is string {
  if (typeof path !== "string" || path === "" || path.includes("\\") || isAbsolute(path))
    return false;
  const fromRoot = relative(root, resolve(root, path));
  return fromRoot !== "" && !/^\.\.([\\/]|$)/.test(fromRoot) && !isAbsolute(fromRoot);
}

/** Reads a pack's index, whatever it holds. */
export async function readIndexFile(
  files: HostFiles,
  path: string,
): Promise<{ json: unknown } | { problem: string }> {
  const read = await readJson(files, path, "pack index");
  if ("json" in read) return read;
  const ways = `"pack-handler index" writes it from the pack's source, and --index names another`;
  return { problem: `${read.problem}; ${ways}` };
}

export async function readJson(
  files: HostFiles,
  path: string,
  what: string,
): Promise<{ json: unknown } | { problem: string }> {
  try {
    return { json: JSON.parse((await files.readText(path)).replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { problem: `Cannot read the ${what} ${path}: ${thrownMessage(error)}` };
  }
}
