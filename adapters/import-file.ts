import process from "node:process";
import { pathToFileURL } from "node:url";
import { locateError } from "./locate-error.ts";

/**
 * Imports the module in a file. By its URL: in a path, `#` and `%` and a Windows drive would be read as parts of one.
 * @throws what the module throws; for a mistake in its syntax or that of what it imports, an error that says where it is; where
 * the runtime runs no TypeScript, one that names what does
 */
export function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href).catch(async (error: unknown) => {
    throw isRefusedTypeScript(error) ? typeScriptError(error) : await locateError(error, path);
  });
}

function isRefusedTypeScript(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ERR_UNKNOWN_FILE_EXTENSION" && /\.[cm]?tsx?\b/.test(error.message);
}

function typeScriptError(cause: Error): Error {
  const ways = `use Node 22.18 or later, Bun or Deno, or compile it to JavaScript and name the result in --bundle-map`;
  return new Error(
    `Node ${process.version} does not run this TypeScript: ${ways} (${cause.message})`,
    { cause },
  );
}
