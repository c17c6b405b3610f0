import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Metafile } from "esbuild";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

interface Entry {
  source: string;
  platform: "neutral" | "node";
  /** Ceilings of the entry with all its dependencies: about a tenth above what it has. */
  minifiedBytes: number;
  gzippedBytes: number;
  /** Whether it runs where code generation is forbidden. */
  generatesNoCode: boolean;
}

const ENTRIES: Readonly<Record<string, Entry>> = {
  ".": {
    source: "src/index.ts",
    platform: "neutral",
    minifiedBytes: 250_000,
    gzippedBytes: 77_000,
    generatesNoCode: false,
  },
  "./client": {
    source: "src/client.ts",
    platform: "neutral",
    minifiedBytes: 12_000,
    gzippedBytes: 5_000,
    generatesNoCode: true,
  },
  "./author": {
    source: "src/author.ts",
    platform: "neutral",
    minifiedBytes: 300,
    gzippedBytes: 250,
    generatesNoCode: true,
  },
  "./connect": {
    source: "adapters/connect.ts",
    platform: "node",
    minifiedBytes: 275_000,
    gzippedBytes: 85_000,
    generatesNoCode: false,
  },
  "./hattip": {
    source: "adapters/hattip.ts",
    platform: "neutral",
    minifiedBytes: 253_000,
    gzippedBytes: 78_500,
    generatesNoCode: false,
  },
  "./precompiled": {
    source: "src/precompiled.ts",
    platform: "neutral",
    minifiedBytes: 59_500,
    gzippedBytes: 21_700,
    generatesNoCode: true,
  },
  "./edge": {
    source: "adapters/edge.ts",
    platform: "neutral",
    minifiedBytes: 65_000,
    gzippedBytes: 23_600,
    generatesNoCode: true,
  },
  "./node": {
    source: "adapters/node.ts",
    platform: "node",
    minifiedBytes: 295_000,
    gzippedBytes: 93_000,
    generatesNoCode: false,
  },
};

async function bundle({ source, platform }: Entry): Promise<{ text: string; metafile: Metafile }> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL("../../", import.meta.url)),
    entryPoints: [source],
    bundle: true,
    minify: true,
    platform,
    mainFields: ["module", "main"],
    format: "esm",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  return { text: outputFiles[0]!.text, metafile };
}

describe("what a user's bundle carries of an entry", () => {
  test.each(Object.entries(ENTRIES))("%s stays small", async (name, entry) => {
    const { text } = await bundle(entry);
    const minifiedBytes = Buffer.byteLength(text);
    const gzippedBytes = gzipSync(text).length;
    console.info(`${name}: ${minifiedBytes} bytes minified, ${gzippedBytes} gzipped`);
    expect(minifiedBytes).toBeLessThanOrEqual(entry.minifiedBytes);
    expect(gzippedBytes).toBeLessThanOrEqual(entry.gzippedBytes);
  });

  test("every entry has its ceilings", () => {
    const entries = Object.keys(packageJson.exports).filter((name) => name !== "./package.json");
    expect(Object.keys(ENTRIES).toSorted()).toEqual(entries.toSorted());
  });

  const generating = Object.entries(ENTRIES).filter(([, entry]) => entry.generatesNoCode);
  test.each(generating)("%s generates no code and holds no compiler", async (_name, entry) => {
    const { text, metafile } = await bundle(entry);
    expect(text).not.toMatch(/\beval\b|\bFunction\(|\brequire\(/);
    const packages = Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"));
    expect(packages.filter((path) => path !== "node_modules/ajv-formats/dist/formats.js")).toEqual(
      [],
    );
  });

  test("the compiler would be found", async () => {
    const { text } = await bundle(ENTRIES["."]!);
    expect(text).toMatch(/\bFunction\(/);
  });
});
