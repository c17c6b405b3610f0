import type { Format } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { hasOwn, keysOf } from "../json.ts";
import { isBase64, judgeOrRefuse, mayBeDateTime } from "./formats.ts";
import { boundPattern } from "./pattern.ts";

const GIVEN: Readonly<Record<string, Format>> = fullFormats;

/** The formats that assert. */
export const FORMATS: ReadonlySet<string> = new Set(keysOf(GIVEN));

const bound = new Map<string, Format>();

/** What judges a format that asserts, bounded in cost; a pattern among them like a schema's own. */
export function formatOf(name: string): Format {
  let format = bound.get(name);
  if (format !== undefined) return format;
  if (!hasOwn(GIVEN, name)) throw new RangeError(`there is no format ${name}`);
  format = boundFormat(name, GIVEN[name]!);
  bound.set(name, format);
  return format;
}

function boundFormat(name: string, format: Format): Format {
  if (format instanceof RegExp) return boundPattern(format).test;
  if (name === "byte") return isBase64;
  if (typeof format === "function") return judgeOrRefuse(format);
  if (!name.endsWith("date-time")) return format;
  const { validate } = format as { validate: (text: string) => boolean };
  return (text) => mayBeDateTime(text) && validate(text);
}
