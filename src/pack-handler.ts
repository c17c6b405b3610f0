import { createHandler } from "./handler.ts";
import type { PackHandler } from "./handler.ts";
import type { PackModules } from "./modules.ts";
import type { PackHandlerOptions } from "./options.ts";
import { readPackIndex } from "./pack.ts";
import { createSchemaCompiler } from "./validation.ts";

/**
 * Makes a pack service of an index and the modules it names (contract §1 to §6).
 *
 * With modules at hand everything is bound at once. Where any has to be imported, all such imports start at once,
 * and the service refuses calls until they are done; `ready` tells when, or why not.
 *
 * @param index the content of `index.json`
 * @param modules module path → namespace, or a function that imports it
 * @throws PackError with every problem, when the index is wrong, or a module or schema at hand is
 * @throws TypeError when an option's value can't be used
 */
export function createPackHandler(
  index: unknown,
  modules: PackModules,
  options: PackHandlerOptions = {},
): PackHandler {
  const parts = { createCompiler: createSchemaCompiler };
  return createHandler(readPackIndex(index), modules, options, parts);
}
