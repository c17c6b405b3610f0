import { createRequire, isBuiltin } from "node:module";
import type { BuildFailure, BuildOptions, BuildResult, Message, Plugin } from "esbuild";

/** Where a bundle's own imports lead. */
export interface BundleOptions {
  /** File of each specifier that the source imports. */
  files: ReadonlyMap<string, string>;
  /** Paths in messages and comments are relative to it. */
  folder: string;
  /** Packages that stay imports, for a platform that has them. */
  external: readonly string[];
  minify: boolean;
}

export type Bundle = { text: string; warnings: string[] } | { problems: string[] };

/** Makes one ES module of a source and all that it imports. */
export async function bundle(source: string, options: BundleOptions): Promise<Bundle> {
  const build = await findEsbuild();
  if (build === undefined) {
    const problem =
      "esbuild, which bundles the pack's modules, is not installed: npm install --save-dev esbuild";
    return { problems: [problem] };
  }
  try {
    const { outputFiles = [], warnings } = await build(buildOptions(source, options));
    return { text: outputFiles[0]?.text ?? "", warnings: warnings.map(messageText) };
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (errors === undefined) throw error;
    return { problems: errors.map(messageText) };
  }
}

/** A package of the pack author's, not one of ours: few who serve packs compile them. */
async function findEsbuild(): Promise<
  ((options: BuildOptions) => Promise<BuildResult>) | undefined
> {
  try {
    return (await import("esbuild")).build;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function buildOptions(source: string, options: BundleOptions): BuildOptions {
  const { folder, external, minify } = options;
  return {
    stdin: { contents: source, resolveDir: folder, sourcefile: "worker" },
    absWorkingDir: folder,
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    mainFields: ["module", "main"],
    charset: "utf8",
    logLevel: "silent",
    // A package without side effects, such as this one, is split into files that are.
    logOverride: { "ignored-bare-import": "silent" },
    external: [...external],
    minify,
    plugins: [ownFiles(options.files), builtinModules],
  };
}

/** Resolves what the source itself imports: the pack's modules, and this package. */
function ownFiles(files: ReadonlyMap<string, string>): Plugin {
  const { resolve } = createRequire(import.meta.url);
  return {
    name: "own-files",
    setup({ onResolve }) {
      onResolve({ filter: /^pack-module:/ }, ({ path }) => ({ path: files.get(path)! }));
      onResolve({ filter: /^pack-handler\/(edge|precompiled)$/ }, ({ path }) => ({
        path: resolve(path),
      }));
    },
  };
}

/** A runtime's own modules stay imports, by the names that every runtime which has them knows. */
const builtinModules: Plugin = {
  name: "builtin-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      const name = path.replace(/^(node:)?/, "node:");
      if (kind !== "require-call") return { path: name, external: true };
      const text = `an ES module can't require(${JSON.stringify(path)}): the call throws; import it instead`;
      return { path: name, external: true, warnings: [{ text }] };
    });
  },
};

function messageText({ text, location }: Message): string {
  if (!location) return text;
  const { file, line, column } = location;
  return `${file}:${line}:${column + 1}: ${text}`;
}
