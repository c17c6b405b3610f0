// Bundles the page into dist/page, where pack-handler dev serves it from.
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
const out = fileURLToPath(new URL("../dist/page/", import.meta.url));

mkdirSync(out, { recursive: true });
copyFileSync(`${folder}index.html`, `${out}index.html`);
await build({
  absWorkingDir: folder,
  entryPoints: { page: "src/main.tsx" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "inline",
  logLevel: "warning",
});
