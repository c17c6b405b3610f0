import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Problem } from "./problem.ts";

export interface ProcessExit {
  code: number;
  /** Stack of whoever ended the process, as far as it can be told. */
  stack: string;
}

export interface ExitScene {
  /** The pack's folder. */
  root: string;
  /** The URL of the command line's entry point; what lies beside it is no pack code, also inside a pack's node_modules. */
  entry: string;
  /** Paths of the modules that were being imported. */
  loading: Iterable<string>;
}

const REASON = "a module that is imported must leave that alone";

/**
 * Names the module of a pack that has ended the process which imports it: the one on the stack, or else those that were being
 * imported. None where there is neither.
 */
export function exitProblems(
  { code, stack }: ProcessExit,
  { root, entry, loading }: ExitScene,
): Problem[] {
  const ended = `the process with exit code ${code}`;
  const folder = realpathSync(root);
  const own = dirname(fileURLToPath(entry));
  const place = placesOf(stack).find(
    ({ file }) => pathBelow(own, file) === undefined && pathBelow(folder, file) !== undefined,
  );
  if (place !== undefined) {
    const { line, column } = place;
    const file = pathBelow(folder, place.file) as string;
    return [{ file, message: `Line ${line}, column ${column} ended ${ended}; ${REASON}` }];
  }
  const message = `Something ended ${ended} while this was imported; ${REASON}`;
  return [...loading].map((file) => ({ file, message }));
}

interface Place {
  file: string;
  line: string;
  column: string;
}

function placesOf(stack: string): Place[] {
  return stack.split("\n").flatMap((frame): Place[] => {
    const found = /((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+):(\d+)\)?$/.exec(frame);
    if (!found) return [];
    const [, name = "", line = "", column = ""] = found;
    return [{ file: name.startsWith("file:") ? fileURLToPath(name) : name, line, column }];
  });
}

/** A file's path below a folder, with forward slashes. */
function pathBelow(folder: string, file: string): string | undefined {
  const path = relative(folder, file).replaceAll("\\", "/");
  return path.startsWith("../") || isAbsolute(path) ? undefined : path;
}
