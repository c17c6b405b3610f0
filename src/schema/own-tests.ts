import { _, type Code, CodeGen, Name } from "ajv";
import { type CodeItem, _Code as RawCode } from "ajv/dist/compile/codegen/code.js";
import type { ValueScopeName } from "ajv/dist/compile/codegen/scope.js";

type Items = readonly CodeItem[];

const { if: when } = CodeGen.prototype;
const { hasOwnProperty } = Object.prototype;

/**
 * Has the code that `emit` generates ask whether a member is an object's own only where it could have been inherited: V8
 * doesn't inline the question, and it would take a third of a validation. The objects are JSON's, which inherit from
 * `Object.prototype` alone.
 */
export function shortenOwnTests(gen: CodeGen, emit: () => void): void {
  const outer = gen.if;
  gen.if = (condition, ...bodies) =>
    when.call(
      gen,
      condition instanceof RawCode ? shortened(condition._items, gen) : condition,
      ...bodies,
    );
  try {
    emit();
  } finally {
    gen.if = outer;
  }
}

/** How many items ajv makes of `hasOwnProperty.call(data, "name")`. */
const TEST_LENGTH = 6;

function shortened(items: Items, gen: CodeGen): Code {
  const start = items.findIndex((_item, i) => isOwnTest(items.slice(i, i + TEST_LENGTH)));
  if (start === -1) return new RawCode(items);
  const end = start + TEST_LENGTH;
  const test = items.slice(start, end);
  const name = new RawCode(test.slice(4, 5));
  const inherited = gen.scopeValue("obj", { ref: Object.prototype, code: _`Object.prototype` });
  const before = new RawCode(items.slice(0, start));
  const after = shortened(items.slice(end), gen);
  return _`${before}(!(${name} in ${inherited}) || ${new RawCode(test)})${after}`;
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
