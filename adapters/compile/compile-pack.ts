import { hostFiles } from "../base-host.ts";
import { locatePack, missingProblem } from "../pack-files.ts";
import type { Places } from "../pack-files.ts";
import type { PackIndex } from "../../src/pack-index.ts";
import { bundle } from "./bundle.ts";
import type { BundleOptions } from "./bundle.ts";
import { compileSchemas, workerSource } from "./worker-source.ts";

export type CompilePackOptions = Places & Pick<BundleOptions, "external" | "minify">;

export interface CompiledPack {
  index: PackIndex;
  /** The worker: one ES module. */
  text: string;
  /** What the author should mend or know, though it stops nothing. */
  warnings: readonly string[];
}

/** Compiles a pack into a worker, or says everything that keeps it from being one. */
export async function compilePack({
  external,
  minify,
  ...places
}: CompilePackOptions): Promise<CompiledPack | { problems: readonly string[] }> {
  const located = await locatePack(hostFiles, places);
  if ("problems" in located) return located;
  const { index, root, modules } = located;
  const schemas = compileSchemas(index);
  const missing = new Map(modules.map((module) => [module, missingProblem(hostFiles, module)]));
  const found = modules.filter((module) => missing.get(module) === undefined);
  const specifiers = new Map(found.map(({ path }) => [path, `pack-module:${path}`]));
  const files = new Map(found.map(({ path, file }) => [`pack-module:${path}`, file]));
  const source = workerSource(index, schemas, specifiers);
  const bundled = await bundle(source, { files, folder: root, external, minify });
  const problems = [
    ...[...missing.values()].filter((problem) => problem !== undefined),
    ...schemas.problems,
    ...("problems" in bundled ? bundled.problems : []),
  ];
  if (problems.length > 0 || "problems" in bundled) return { problems };
  return { index, text: bundled.text, warnings: [...schemas.warnings, ...bundled.warnings] };
}
