import { createHandler } from "./handler.ts";
import type { PackHandler } from "./handler.ts";
import type { PackModules } from "./modules.ts";
import type { PackHandlerOptions } from "./options.ts";
import type { PackIndex } from "./pack-index.ts";
import { readPackIndex } from "./pack.ts";
import { findPrecompiled } from "./precompiled-schemas.ts";
import type { CreateSchemas } from "./precompiled-schemas.ts";

export type { PackHandler } from "./handler.ts";
export type { PackHandlerOptions } from "./options.ts";
export type { CreateSchemas, PrecompiledSchema } from "./precompiled-schemas.ts";

/** A pack as `pack-handler compile` writes it. */
export interface PrecompiledPack {
  index: PackIndex;
  modules: PackModules;
  createSchemas: CreateSchemas;
}

/**
 * Makes a pack service of a pack that `pack-handler compile` has compiled. The same as `createPackHandler`, with the same
 * verdicts, but generates no code: it runs where that is forbidden.
 *
 * @throws PackError when the index is not the one that was compiled
 * @throws TypeError when an option's value can't be used
 */
export function createPrecompiledHandler(
  { index, modules, createSchemas }: PrecompiledPack,
  options: PackHandlerOptions = {},
): PackHandler {
  return createHandler(readPackIndex(index), modules, options, {
    createCompiler: () => findPrecompiled(index, createSchemas),
    hasTimersOfRequests: true,
  });
}
