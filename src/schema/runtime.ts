import { keysOf, parseJson } from "../json.ts";
import { countCharacters } from "./characters.ts";
import { duplicateItems, equalJson, oneOf } from "./equality.ts";
import { formatOf } from "./known-formats.ts";
import { multipleTest } from "./multiple-of.ts";
import { Patterns } from "./pattern.ts";

/** The globals that the code of a validator uses, as they are before pack code can replace them. */
export const GLOBALS = {
  Array: copied(Array),
  Math: copied(Math),
  Object: copied(Object),
  isFinite,
  isNaN,
  parseInt,
};

function copied(global: object): object {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(global));
}

/** The functions that the code of a validator calls. */
export const FUNCTIONS = { countCharacters, duplicateItems, equalJson, multipleTest, oneOf };

/** All that the code of a validator refers to, by the names that stand there. */
export type Runtime = ReturnType<typeof createRuntime>;

export function createRuntime() {
  const patterns = new Patterns();
  return {
    ...GLOBALS,
    ...FUNCTIONS,
    formatOf,
    parseJson,
    patternOf: (source: string) => patterns.get(source),
  };
}

export const RUNTIME_NAMES: readonly string[] = keysOf(createRuntime());
