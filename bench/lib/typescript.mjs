import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withFolder } from "./temporary-folder.mjs";

/** Bundles a module and all it imports into one JavaScript file that any runtime runs. */
export async function bundle(url, outfile) {
  await build({
    entryPoints: [fileURLToPath(url)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["bun:*", "@mitata/counters"],
    logLevel: "warning",
    define: { "import.meta.url": JSON.stringify(String(url)) },
  });
}

/** Imports a TypeScript module, which this Node may not do by itself. */
export function importTypeScript(url) {
  return withFolder(async (folder) => {
    const outfile = join(folder, "module.mjs");
    await bundle(url, outfile);
    return await import(pathToFileURL(outfile).href);
  });
}
