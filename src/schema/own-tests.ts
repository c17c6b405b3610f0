import { _, type Code, CodeGen, Name } from "ajv";
import { type CodeItem, _Code as RawCode } from "ajv/dist/compile/codegen/code.js";
import type { ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import { noPropertyInData, propertyInData } from "ajv/dist/vocabularies/code.js";
import { parseJson } from "../json.ts";

const { if: when } = CodeGen.prototype;
const { hasOwnProperty } = Object.prototype;

/**
 * Has the code that `emit` generates ask for members in a way that V8 inlines. ajv's reads a member before it asks whether
 * it is there, which boxes numbers once an object without it has come by, and calls `hasOwnProperty` for each, a third of a
 * validation. The objects are JSON's: no member is `undefined`, and what they inherit is `Object.prototype`'s.
 */
export function shortenOwnTests(gen: CodeGen, emit: () => void): void {
  const outer = gen.if;
  gen.if = shortenedIf;
  try {
    emit();
  } finally {
    gen.if = outer;
  }
}

const shortenedIf: CodeGen["if"] = function (this: CodeGen, condition, ...bodies) {
  const short = condition instanceof RawCode ? shortened(condition, this) : condition;
  return when.call(this, short, ...bodies);
};

/** How many items ajv makes of `hasOwnProperty.call(data, "name")`. */
const TEST_LENGTH = 6;

function shortened(condition: RawCode, gen: CodeGen): Code {
  const { _items: items } = condition;
  const start = items.findIndex(isHasOwnProperty);
  if (start === -1) return condition;
  const own = items.slice(start, start + TEST_LENGTH);
  const [, call, data, , name] = own;
  if (call !== ".call(" || !(data instanceof Name) || typeof name !== "string") return condition;
  const inherited = gen.scopeValue("obj", { ref: Object.prototype, code: _`Object.prototype` });
  const quoted = new RawCode(name);
  const test = _`(${quoted} in ${data} && (!(${quoted} in ${inherited}) || ${new RawCode(own)}))`;
  const member = parseJson(name) as string;
  const text = String(condition);
  if (text === String(propertyInData(gen, data, member, true))) return test;
  if (text === String(noPropertyInData(gen, data, member, true))) return _`!${test}`;
  return condition;
}

function isHasOwnProperty(item: CodeItem): boolean {
  return item instanceof Name && (item as ValueScopeName).value?.ref === hasOwnProperty;
}
