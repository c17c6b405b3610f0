import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("the client bundles for a neutral platform, without the service", async () => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL("../../", import.meta.url)),
    entryPoints: ["src/client.ts"],
    bundle: true,
    minify: true,
    platform: "neutral",
    format: "esm",
    metafile: true,
    write: false,
  });
  const foreign = /node_modules|src\/(handler|call|pack|validation|transport|options|records)\.ts$/;
  expect(Object.keys(metafile.inputs).filter((path) => foreign.test(path))).toEqual([]);
  const [output] = outputFiles;
  expect(output?.text).toContain("PackClientError");
  expect(output?.text).not.toMatch(/\b(process|Deno|Bun)\.\w|\bBuffer\b|from"node:/);
});
