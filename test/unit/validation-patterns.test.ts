import { Ajv } from "ajv";
import formatsModule from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linearTest } from "../../src/schema/linear-matcher.ts";
import { boundPattern, Patterns } from "../../src/schema/pattern.ts";
import { parsePattern } from "../../src/schema/pattern-tree.ts";
import { type Compiled, createSchemaCompiler } from "../../src/validation.ts";

const addFormats = formatsModule.default;

const atom = fc.constantFrom(
  "a",
  "b",
  "-",
  ".",
  "\\d",
  "\\w",
  "\\s",
  "\\S",
  "[ab]",
  "[^a]",
  "[\\]b]",
  "\\.",
  "\\u0061",
  "\\x62",
  "\\n",
  "é",
  "\\W",
  "\\-",
  "[^]",
  "\\u2028",
  "\\/",
  "}",
  "]",
  "\\0",
  "\\cJ",
);
const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.constantFrom("^", "$", "\\b", "\\B", ""),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "{1,2}?"))
      .map(([a, quantifier]) => `(?:${a})${quantifier}`),
  ),
}));
const anchored = fc
  .tuple(fc.constantFrom("", "^"), patterns, fc.constantFrom("", "$"))
  .map((parts) => parts.join(""));
const looking = fc
  .tuple(fc.constantFrom("(?=", "(?!"), patterns, anchored)
  .map(([look, ahead, rest]) => `^${look}${ahead})${rest}`);
const texts = fc.oneof(
  fc.string({
    unit: fc.constantFrom("a", "b", "-", ".", "1", " ", "é", "\n", "😀", "]", "\u2028"),
    maxLength: 12,
  }),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const flagged = fc.constantFrom("", "u", "i", "iu");

function toRegExp(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

test("the linear engine gives the verdicts of the runtime's", () => {
  let tested = 0;
  fc.assert(
    fc.property(
      fc.oneof(anchored, looking),
      flagged,
      fc.array(texts, { minLength: 1 }),
      (source, flags, samples) => {
        const native = toRegExp(source, flags);
        if (native === undefined) return fc.pre(false);
        const tree = parsePattern(source, flags.includes("u"));
        const linear = tree && linearTest(tree, flags);
        if (linear === undefined) return;
        tested++;
        for (const text of samples) expect([text, linear(text)]).toEqual([text, native.test(text)]);
      },
    ),
    { numRuns: 1_000 },
  );
  expect(tested).toBeGreaterThan(500);
});

test("a bounded pattern gives the verdicts of the runtime's, on either side of its limit", () => {
  fc.assert(
    fc.property(anchored, texts, (source, text) => {
      const native = toRegExp(source, "u");
      if (native === undefined) return fc.pre(false);
      expect(boundPattern(native).test(text)).toBe(native.test(text));
    }),
    { numRuns: 500 },
  );
});

const unbounded = addFormats(new Ajv()).formats;

test.each(Object.keys(unbounded).filter((name) => unbounded[name] instanceof RegExp))(
  "format %s gives the verdicts that it gave unbounded",
  (format) => {
    const { validate } = createSchemaCompiler().compile({ format }) as Compiled;
    const bits = [
      "a",
      "A",
      "-",
      ".",
      "@",
      ":",
      "/",
      "~1",
      "%41",
      "{a}",
      "1",
      "::",
      "#",
      "P1D",
      "T1H",
      "localhost",
      "é",
      "?",
    ];
    const text = fc.string({ unit: fc.constantFrom(...bits), maxLength: 30 });
    fc.assert(
      fc.property(text, (value) => {
        expect(validate(value).valid).toBe((unbounded[format] as RegExp).test(value));
      }),
    );
  },
);

describe("§5 a pattern that backtracks without end", () => {
  // Each would take the runtime's own engine longer than the universe has been there for.
  test.each([
    ["^(a|a)*$", "a"],
    ["^(([a-zA-Z0-9]+)(-?))+$", "aA"],
    ["(x+x+)+y", "x"],
    ["^(?=.*z)(a*)*$", "a"],
    ["^(?:a?){50}(?:a*)*b$", "a"],
    ["^([\\w\\-\\_]+\\s?)*$", "a"],
  ])("%s is answered", (pattern, unit) => {
    const result = createSchemaCompiler().compile({ pattern }) as Compiled;
    expect(result.warnings).toEqual([]);
    expect(result.validate(`${unit.repeat(1_000)}!`).valid).toBe(false);
  });

  test("a property's name or a default's place doesn't escape it", () => {
    const schema = {
      patternProperties: { "^(a|a)*$": { properties: { n: { default: 1 } } } },
      additionalProperties: false,
    };
    const { validate } = createSchemaCompiler().compile(schema, { fillDefaults: true }) as Compiled;
    expect(validate({ [`${"a".repeat(1_000)}!`]: {} }).valid).toBe(false);
  });

  test.each(["^(a+)+\\1$", "^a(?=(b+)+$)", "(?<=(a+)+)b"])(
    "%s can't be bounded, which is said",
    (pattern) => {
      const { warnings } = createSchemaCompiler().compile({ pattern }) as Compiled;
      expect(warnings).toEqual([
        `pattern ${JSON.stringify(pattern)} may backtrack for long: no time limit reaches it`,
      ]);
    },
  );

  test.each([
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^(foo|bar)$",
    "\\S",
    "^(/[a-z]+)*$",
    "^(?!-)[a-z-]{1,63}$",
    "^https?://",
    "^(?=.*\\d)(?=.*[a-z]).{8,}$",
  ])("%s needs no warning", (pattern) => {
    expect(new Patterns().get(pattern).isBounded).toBe(true);
  });
});
