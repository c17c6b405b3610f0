import process from "node:process";
import { pathToFileURL } from "node:url";

/**
 * Imports the module in a file. By its URL: in a path, `#` and `%` and a Windows drive would be read as parts of one.
 * @throws what the module throws; where the runtime runs no TypeScript, an error that names what does
 */
export async function importFile(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw isRefusedTypeScript(error) ? typeScriptError(error) : error;
  }
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
