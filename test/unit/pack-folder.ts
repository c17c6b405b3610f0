import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { TEMPORARY_PREFIX } from "../contract/packs.ts";

export const CONFIG = { pack: { id: "hello", version: "1.0.0" } };

/** A tool's module. Members win over the plain tool's. */
export function toolModule(id: string, members = ""): string {
  return `export default { id: "${id}", input: {}, output: {}, handler: (input) => input, ${members} };`;
}

export function checkModule(id: string, members = ""): string {
  return `export default { id: "${id}", evaluate: () => ({ passed: true }), ${members} };`;
}

/** Lays a pack's source into a new folder that lasts as long as the test. */
export function layPackFolder(
  files: Readonly<Record<string, string>>,
  config: unknown = CONFIG,
): string {
  const folder = mkdtempSync(join(tmpdir(), TEMPORARY_PREFIX));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  addFiles(folder, { "kindgi.config.json": JSON.stringify(config), ...files });
  return folder;
}

/** Adds files to a folder. */
export function addFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
