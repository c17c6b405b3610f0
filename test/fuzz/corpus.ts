import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The saved inputs of a target, by file name. */
export function readCorpus(folder: string, target: string): [name: string, input: Uint8Array][] {
  const path = join(folder, target);
  return readdirSync(path)
    .toSorted()
    .map((name) => [name, Uint8Array.from(readFileSync(join(path, name)))]);
}
