import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { isObject } from "../src/json.ts";

const ASK_LIMIT_MS = 5_000;
/** More of a line than this, as minified code has, shows nobody anything. */
const MAX_LINE_LENGTH = 120;

interface Place {
  message: string;
  file: string;
  line: number;
  column: number;
}

/** Modules that import one broken module reject with one error. */
const located = new WeakMap<object, Promise<unknown>>();

/**
 * Gives an error with which importing a module was rejected the place of the mistake, and its line, where the runtime knows
 * them: a syntax error, or an import of what isn't there. Any other error is given back as it is.
 *
 * @param file the module that was imported; the mistake may be in another one, which it imports
 */
export function locateError(error: unknown, file: string): Promise<unknown> {
  if (!isObject(error)) return Promise.resolve(error);
  const known = located.get(error) ?? locate(error, file);
  located.set(error, known);
  return known;
}

async function locate(error: object, file: string): Promise<unknown> {
  const place =
    placeFromBun(error) ??
    placeFromDeno(error) ??
    (await placeFromBunAgain(error)) ??
    (await placeFromNode(error, file));
  if (place === undefined) return error;
  const { message, line, column } = place;
  const text = await lineText(place);
  const where = `${place.file}:${line}:${column}`;
  return new Error(`${message} at ${where}${text === "" ? "" : `: ${text}`}`, { cause: error });
}

/** Bun has the place beside the message. It goes on after a mistake, and what it finds then mostly follows from that. */
function placeFromBun(error: object): Place | undefined {
  const { errors, message, position } = error as Record<string, unknown>;
  if (Array.isArray(errors) && isObject(errors[0])) return placeFromBun(errors[0]);
  if (!isObject(position)) return undefined;
  const { file, line, column } = position;
  return {
    message: String(message),
    file: String(file),
    line: Number(line),
    column: Number(column),
  };
}

/** To one of two that import a broken module at the same time, Bun may tell no more than its name: asked again, it tells. */
async function placeFromBunAgain({ message }: { message?: unknown }): Promise<Place | undefined> {
  const [, broken] = /^\d+ errors building "(.+)"$/.exec(String(message)) ?? [];
  if (broken === undefined) return undefined;
  try {
    await import(pathToFileURL(broken).href);
    return undefined;
  } catch (error) {
    return isObject(error) ? placeFromBun(error) : undefined;
  }
}

/** Deno has the place at the message's end, with the line above it and in colours at times. */
function placeFromDeno(error: object): Place | undefined {
  if (!(error instanceof Error) || !/^(?:Syntax|Type)Error$/.test(error.name)) return undefined;
  const found = /^(?:SyntaxError: )?(.+)[^]*?\s+at (file:\/\/\S+):(\d+):(\d+)$/.exec(
    stripVTControlCharacters(error.message),
  );
  if (!found) return undefined;
  const [, message = "", url = "", line, column] = found;
  return { message, file: fileURLToPath(url), line: Number(line), column: Number(column) };
}

/** Node has the place at the head of the stack for some errors. For those of its module loader only the end of a process shows it. */
async function placeFromNode(error: object, file: string): Promise<Place | undefined> {
  if (!(error instanceof SyntaxError)) return undefined;
  const { message, stack = "" } = error;
  const place = placeFromArrow(stack);
  if (place !== undefined || !/^SyntaxError.*\n +at .*\(node:internal\/modules\//.test(stack)) {
    return place;
  }
  const asked = placeFromArrow(await nodesLastWords(file));
  // The file may have been saved again meanwhile.
  return asked?.message === message ? asked : undefined;
}

/** Node's own picture of a mistake: the file and the line's number, the line, an arrow below, the message. */
function placeFromArrow(text: string): Place | undefined {
  const picture =
    /^(?!node:)(.+):(\d+)\n(?:.*\n){1,2}?([ \t]*)\^+\n(?:.*\n){0,3}?SyntaxError[^:\n]*: (.*)$/m;
  const found = picture.exec(text);
  if (!found) return undefined;
  const [, name = "", line, indent = "", message = ""] = found;
  const file = name.startsWith("file:") ? fileURLToPath(name) : name;
  return { message, file, line: Number(line), column: indent.length + 1 };
}

/** What Node prints when a program can't import a module. Were the module whole, the program would end before it ran. */
async function nodesLastWords(file: string): Promise<string> {
  // Loaded late: a service that boots has no use for it.
  const { execFile } = await import("node:child_process");
  const { href } = pathToFileURL(file);
  const program = `import "data:text/javascript,process.exit()"; import ${JSON.stringify(href)};`;
  const args = ["--input-type=module", "--eval", program];
  const limits = { timeout: ASK_LIMIT_MS, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, args, limits, (_error, _out, errors) => resolve(errors));
  });
}

async function lineText({ file, line, column }: Place): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  const whole = text.split("\n")[line - 1] ?? "";
  const start = Math.max(0, column - MAX_LINE_LENGTH / 2);
  return (
    whole.length > MAX_LINE_LENGTH ? whole.slice(start, start + MAX_LINE_LENGTH) : whole
  ).trim();
}
