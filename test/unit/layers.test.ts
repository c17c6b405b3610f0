import { readdirSync } from "node:fs";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;

/** The core as an edge runtime would get it, and what each of its files imports. */
const bundle = await build({
  absWorkingDir: root,
  entryPoints: ["src/index.ts", "src/precompiled.ts"],
  outdir: "out",
  bundle: true,
  platform: "neutral",
  mainFields: ["module", "main"],
  format: "esm",
  metafile: true,
  write: false,
  logLevel: "silent",
});

const inputs = new Map(Object.entries(bundle.metafile.inputs));
const own = [...inputs.keys()].filter((path) => !path.startsWith("node_modules/"));

/** The core's files that import what matches. */
function importers(pattern: RegExp): string[] {
  return own.filter((path) =>
    inputs.get(path)?.imports.some((imported) => pattern.test(imported.path)),
  );
}

describe("the core", () => {
  test("bundles for a neutral platform, from web standards and its dependencies alone", () => {
    expect(bundle.errors).toEqual([]);
    expect(own.filter((path) => !path.startsWith("src/"))).toEqual([]);
    const external = [...inputs.values()].flatMap(({ imports }) =>
      imports.filter((one) => one.external),
    );
    expect(external).toEqual([]);
  });

  test("names no runtime's globals", () => {
    expect(bundle.outputFiles).toHaveLength(2);
    for (const { text } of bundle.outputFiles) {
      expect(text.length).toBeGreaterThan(50_000);
      expect(text).not.toMatch(/\b(process|Deno|Bun)\.\w|\bBuffer\b|from "node:/);
    }
  });

  test("reaches ajv through validation.ts alone, and that through pack-handler.ts alone", () => {
    expect(importers(/node_modules\/ajv(-draft-04)?\//)).toEqual([
      "src/schema/own-tests.ts",
      "src/validation.ts",
    ]);
    expect(importers(/^src\/schema\/own-tests\.ts$/)).toEqual(["src/validation.ts"]);
    expect(importers(/^src\/validation\.ts$/)).toEqual(["src/pack-handler.ts"]);
  });

  test("runs pack code in call.ts alone", () => {
    expect(importers(/^src\/call\.ts$/)).toEqual(["src/handler.ts"]);
  });
});

test("an adapter imports no other adapter", async () => {
  const names = ["node.ts", "bun.ts", "deno.ts"];
  const entries = readdirSync(`${root}adapters`).filter((name) => names.includes(name));
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [`adapters/${entry}`],
      bundle: true,
      platform: "node",
      packages: "external",
      format: "esm",
      metafile: true,
      write: false,
    });
    const others = names.filter((name) => name !== entry).map((name) => `adapters/${name}`);
    expect(Object.keys(metafile.inputs).filter((path) => others.includes(path))).toEqual([]);
  }
});
