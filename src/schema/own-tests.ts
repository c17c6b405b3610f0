import { _, type Code, CodeGen, Name } from "ajv";
import { type CodeItem, _Code as RawCode } from "ajv/dist/compile/codegen/code.js";
import type { ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import { noPropertyInData, propertyInData } from "ajv/dist/vocabularies/code.js";
import { parseJson } from "../json.ts";

type Items = readonly CodeItem[];

const { if: when } = CodeGen.prototype;
const { hasOwnProperty } = Object.prototype;

/**
 * Has the code that `emit` generates ask for members in a way that V8 inlines. ajv's reads a member before it asks whether
 * it is there, which boxes numbers once an object without it has come by, and calls `hasOwnProperty` for each, a third of a
 * validation. The objects are JSON's: no member is `undefined`, and what they inherit is `Object.prototype`'s.
 */
export function shortenOwnTests(gen: CodeGen, emit: () => void): void {
  const outer = gen.if;
  gen.if = (condition, ...bodies) =>
    when.call(gen, condition instanceof RawCode ? shortened(condition, gen) : condition, ...bodies);
  try {
    emit();
  } finally {
    gen.if = outer;
  }
}

/** How many items ajv makes of `hasOwnProperty.call(data, "name")`. */
const TEST_LENGTH = 6;

function shortened(condition: RawCode, gen: CodeGen): Code {
  const { _items: items } = condition;
  const start = items.findIndex((_item, i) => isOwnTest(items.slice(i, i + TEST_LENGTH)));
  if (start === -1) return condition;
  const own = items.slice(start, start + TEST_LENGTH);
  const data = own[2] as Name;
  const name = new RawCode(own.slice(4, 5));
  const inherited = gen.scopeValue("obj", { ref: Object.prototype, code: _`Object.prototype` });
  const test = _`(${name} in ${data} && (!(${name} in ${inherited}) || ${new RawCode(own)}))`;
  const member = parseJson(String(name)) as string;
  const text = String(condition);
  if (text === String(propertyInData(gen, data, member, true))) return test;
  if (text === String(noPropertyInData(gen, data, member, true))) return _`!${test}`;
  return condition;
}

function isOwnTest([func, call, data, comma, name, end]: Items): boolean {
  return (
    func instanceof Name &&
    (func as ValueScopeName).value?.ref === hasOwnProperty &&
    call === ".call(" &&
    data instanceof Name &&
    comma === ", " &&
    typeof name === "string" &&
    end === ")"
  );
}
