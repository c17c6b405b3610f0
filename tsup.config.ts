import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "tsup";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** What people import, in parts that are shared. */
const LIBRARY = {
  index: "src/index.ts",
  client: "src/client.ts",
  author: "src/author.ts",
  precompiled: "src/precompiled.ts",
  edge: "adapters/edge.ts",
  connect: "adapters/connect.ts",
  hattip: "adapters/hattip.ts",
  cli: "adapters/cli.ts",
};

/** What serves a pack as a process. */
const PROCESSES = { node: "adapters/node.ts", bun: "adapters/bun.ts", deno: "adapters/deno.ts" };

/** Of the manifest only the version is used, so only that is bundled. */
const packageVersion: Plugin = {
  name: "package-version",
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

/** Has the command line serve by the file of the process. */
const processesApart: Plugin = {
  name: "processes-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\/node\.ts$/ }, () => ({ path: "./node.js", external: true }));
  },
};

/** Writes the licences of the packages that are bundled beside what they are bundled into. */
const licences: Plugin = {
  name: "licences",
  setup(build) {
    build.onEnd(({ metafile }) => {
      const paths = Object.keys(metafile?.inputs ?? {});
      const names = paths.flatMap(
        (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
      );
      const texts = [...new Set(names)].toSorted().map((name) => `${name}\n\n${licenceOf(name)}`);
      mkdirSync("dist", { recursive: true });
      writeFileSync("dist/THIRD-PARTY-LICENSES.txt", texts.join(`\n${"-".repeat(80)}\n\n`));
    });
  },
};

/** Refuses characters beyond ASCII: with a single one, V8 keeps two bytes for each, and reads them slower. */
const asciiOnly: Plugin = {
  name: "ascii-only",
  setup(build) {
    build.onEnd(({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles.filter((file) => file.path.endsWith(".js"))) {
        const at = text.search(/[^\0-\x7f]/);
        if (at === -1) continue;
        const line = text.slice(0, at).split("\n").length;
        throw new Error(`${path}:${line} holds "${text[at]}", which isn't ASCII`);
      }
    });
  },
};

function licenceOf(name: string): string {
  const paths = ["LICENSE", "LICENSE.md"].map((file) => `node_modules/${name}/${file}`);
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`${name} is bundled, but has no LICENSE`);
  return readFileSync(path, "utf8");
}

const common: Options = {
  format: "esm",
  target: "node20",
  sourcemap: true,
  removeNodeProtocol: false,
};

export default defineConfig([
  {
    ...common,
    entry: LIBRARY,
    splitting: true,
    dts: { entry: { ...LIBRARY, ...PROCESSES } },
    // The page is built by itself, and so are the processes.
    clean: ["!page/**", "!{node,bun,deno}.*", "!THIRD-PARTY-LICENSES.txt"],
    esbuildPlugins: [packageVersion, processesApart],
  },
  {
    ...common,
    entry: PROCESSES,
    // A file each, with all that a boot takes: finding a hundred files would be a quarter of it.
    splitting: false,
    noExternal: [/./],
    esbuildPlugins: [packageVersion, licences, asciiOnly],
  },
]);
