import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PackSource } from "./target.ts";

export const FIXTURE_PACK = fileURLToPath(new URL("fixture-pack", import.meta.url));

/** A pack's place on disk. */
export interface PackFiles {
  index: string;
  moduleRoot: string;
  remove(): void;
}

/** Part of every temporary folder's name: vitest leaves what is below to the runtime's own import. */
export const TEMPORARY_PREFIX = "contract-pack-";

/** Lays a pack on disk, where it isn't there. */
export function layPack(source: PackSource = {}): PackFiles {
  if (source.index === undefined && !source.files) {
    return { index: join(FIXTURE_PACK, "index.json"), moduleRoot: FIXTURE_PACK, remove: () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), TEMPORARY_PREFIX));
  const index = join(folder, "index.json");
  const content = source.index ?? fixtureIndex();
  writeFileSync(index, typeof content === "string" ? content : JSON.stringify(content));
  for (const [path, text] of Object.entries(source.files ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    index,
    moduleRoot: source.files ? folder : FIXTURE_PACK,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A fresh copy of the fixture pack's index. */
export function fixtureIndex(): any {
  return JSON.parse(readFileSync(join(FIXTURE_PACK, "index.json"), "utf8"));
}

/** The modules below a folder, as paths with forward slashes. */
export function moduleFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(mjs|cjs|js|ts)$/.test(path));
}

export interface ToolOptions {
  input?: unknown;
  output?: unknown;
  version?: string;
  [member: string]: unknown;
}

export function tool(id: string, modulePath: string, options: ToolOptions = {}): object {
  return { id, input: {}, output: {}, modulePath, ...options };
}

export function guardrail(id: string, checkModulePath: string, options: object = {}): object {
  return { id, kind: "check", action: "block", checkModulePath, ...options };
}

/** An index of these entries. */
export function indexOf(
  entries: { tools?: unknown[]; guardrails?: unknown[] },
  members: object = {},
): object {
  return {
    v: 1,
    packId: "contract-pack",
    packVersion: "1.0.0",
    artifactVersion: "artifact-1",
    publishedAt: "2026-12-01T00:00:00.000Z",
    tools: entries.tools ?? [],
    guardrails: entries.guardrails ?? [],
    agents: [],
    flows: [],
    ...members,
  };
}
