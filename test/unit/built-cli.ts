import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { requireRuntime } from "../runtimes/runtimes.ts";
import type { RuntimeName } from "../runtimes/runtimes.ts";

/** Builds the command line, as it is now, for the tests of a file. Gives the folder with cli.mjs and node.mjs. */
export function useBuiltCli(): string {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-cli-"));
  beforeAll(async () => {
    await build({
      absWorkingDir: fileURLToPath(new URL("../../", import.meta.url)),
      entryPoints: ["adapters/cli.ts", "adapters/node.ts"],
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      // CommonJS inside a bundle asks for Node's modules by require.
      banner: {
        js: `import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);`,
      },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

export interface Ended {
  code: number;
  out: string;
  errors: string;
}

const ARGUMENTS: Partial<Record<RuntimeName, string[]>> = { deno: ["run", "-A", "--no-lock"] };

/** Runs a built command line on a runtime. */
export function runBuiltCli(
  runtime: RuntimeName,
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const all = [...(ARGUMENTS[runtime] ?? []), join(folder, "cli.mjs"), ...args];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  return new Promise((resolve) => {
    execFile(requireRuntime(runtime), all, { env }, (error, out, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, errors });
    });
  });
}
