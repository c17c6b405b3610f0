import { isObject, parseJson, pointerTo, stringifyJson } from "../../src/json.ts";
import { thrownMessage } from "../../src/thrown.ts";

/** A copy of a value that is plain JSON, or why there is none: what JSON can't hold is refused, not dropped. */
export function plainJson(value: unknown): { json: unknown } | { problem: string } {
  const places = new Map<unknown, string>();
  const problems: string[] = [];
  function visit(this: unknown, key: string, member: unknown): unknown {
    const holderPlace = places.get(this);
    const place = holderPlace === undefined ? "" : pointerTo(holderPlace, key);
    if (isObject(member) || Array.isArray(member)) places.set(member, place);
    const what = unwritable(member);
    if (what !== undefined) problems.push(`${place === "" ? "" : `${place} is `}${what}`);
    return member;
  }
  try {
    const text = stringifyJson(value, visit) as string | undefined;
    const [problem] = problems;
    if (problem !== undefined) return { problem: `${problem}, which JSON can't hold` };
    return text === undefined ? { problem: "it is undefined" } : { json: parseJson(text) };
  } catch (error) {
    return { problem: thrownMessage(error) };
  }
}

function unwritable(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : undefined;
}
