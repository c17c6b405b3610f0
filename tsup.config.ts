import { readFile } from "node:fs/promises";
import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    client: "src/client.ts",
    author: "src/author.ts",
    precompiled: "src/precompiled.ts",
    edge: "adapters/edge.ts",
    node: "adapters/node.ts",
    connect: "adapters/connect.ts",
    hattip: "adapters/hattip.ts",
    bun: "adapters/bun.ts",
    deno: "adapters/deno.ts",
    cli: "adapters/cli.ts",
  },
  format: "esm",
  target: "node20",
  splitting: true,
  sourcemap: true,
  dts: true,
  // The page is built by itself.
  clean: ["!page/**"],
  esbuildPlugins: [
    {
      // Of the manifest only the version is used, so only that is bundled.
      name: "package-version",
      setup(build) {
        build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
          const { version } = JSON.parse(await readFile(path, "utf8"));
          return { contents: JSON.stringify({ version }), loader: "json" };
        });
      },
    },
  ],
});
