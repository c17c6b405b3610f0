import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import picomatch from "picomatch";
import { byCodeUnits } from "./index-text.ts";

/** The lists of an index that definitions go into, each with the folder where they are looked for. */
export const LISTS = ["tools", "guardrails", "agents", "flows"] as const;

export type ListName = (typeof LISTS)[number];

/** Where definitions are looked for: patterns relative to the pack's folder. A plain path stands for all below it. */
export type Discovery = Readonly<Record<ListName | "exclude", readonly string[]>>;

export const DEFAULT_DISCOVERY: Discovery = {
  tools: ["tools/**"],
  guardrails: ["guardrails/**"],
  agents: ["agents/**"],
  flows: ["flows/**"],
  exclude: [],
};

const MODULE = /\.m?[jt]s$/;
const DECLARATION_OR_TEST = /\.(?:d|test|spec|test-d)\.m?[jt]s$/;

/**
 * The files that may hold definitions of a list: `.ts`, `.mts`, `.js` and `.mjs`, no tests and no type declarations, nothing
 * in `node_modules`, nothing whose name, or a folder's above it, begins with `_` or a dot. Sorted, with forward slashes.
 *
 * @param built paths of modules that are there in a build, whether or not their source is
 * @throws when a folder can't be read
 */
export async function findDefinitions(
  root: string,
  discovery: Discovery,
  list: ListName,
  built: readonly string[],
): Promise<string[]> {
  const excluded = discovery.exclude.map(readPattern);
  const found = discovery[list].map(readPattern).map(async (pattern) => {
    const below = built.filter((path) => isLookedAtBelow(path, pattern.base));
    const paths = [...(await filesAt(root, pattern.base)), ...below];
    return paths.filter((path) => isModuleName(path) && pattern.matches(path));
  });
  const paths = new Set((await Promise.all(found)).flat());
  return [...paths]
    .filter((path) => !excluded.some(({ matches }) => matches(path)))
    .toSorted(byCodeUnits);
}

/** The folder, or the file, that everything which a pattern matches is in; `""` for the pack's own folder. */
export function baseOf(pattern: string): string {
  return readPattern(pattern).base;
}

interface Pattern {
  base: string;
  matches: (path: string) => boolean;
}

function readPattern(pattern: string): Pattern {
  const path = pattern.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
  const { base, glob } = picomatch.scan(path === "." ? "" : path);
  if (glob !== "") return { base, matches: picomatch(path, { dot: true }) };
  return { base, matches: (file) => file === base || isBelow(file, base) };
}

function isBelow(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

function isLookedAtBelow(path: string, folder: string): boolean {
  if (path === folder) return true;
  const below = folder === "" ? path : path.slice(folder.length + 1);
  return isBelow(path, folder) && below.split("/").every(isLookedAt);
}

async function filesAt(root: string, base: string): Promise<string[]> {
  const found = await stat(join(root, base)).catch(absent);
  if (found === undefined) return [];
  return found.isDirectory() ? filesBelow(root, base) : [base];
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const items = await readdir(join(root, folder), { withFileTypes: true });
  const nested = items
    .filter(({ name }) => isLookedAt(name))
    .map(async (item) => {
      const path = folder === "" ? item.name : `${folder}/${item.name}`;
      if (item.isDirectory()) return filesBelow(root, path);
      return (await isFileOrLink(root, path, item)) ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

/** A link to a file counts as one; a linked folder is left alone, since it could lead back. */
async function isFileOrLink(root: string, path: string, item: Dirent): Promise<boolean> {
  if (!item.isSymbolicLink()) return item.isFile();
  const target = await stat(join(root, path)).catch(absent);
  return target?.isFile() === true;
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

function isLookedAt(name: string): boolean {
  return !/^[._]/.test(name) && name !== "node_modules";
}

function isModuleName(path: string): boolean {
  return MODULE.test(path) && !DECLARATION_OR_TEST.test(path);
}
