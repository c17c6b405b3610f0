import { Ajv } from "ajv";
import formatsModule from "ajv-formats";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildAutomaton } from "../../src/schema/automaton.ts";
import { createKinds } from "../../src/schema/character-kinds.ts";
import { linearTest } from "../../src/schema/linear-matcher.ts";
import { boundPattern, Patterns } from "../../src/schema/pattern.ts";
import { backtrackingSteps } from "../../src/schema/pattern-cost.ts";
import { parsePattern } from "../../src/schema/pattern-tree.ts";
import { StateSets } from "../../src/schema/state-sets.ts";
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
      fc.nat(3),
      (source, flags, samples, maxFronts) => {
        const native = toRegExp(source, flags);
        if (native === undefined) return fc.pre(false);
        const tree = parsePattern(source, flags.includes("u"));
        const linear = tree && linearTest(tree, flags);
        if (tree === undefined || linear === undefined) return;
        tested++;
        const forgetful = linearTest(tree, flags, maxFronts)!;
        for (const text of samples) {
          const verdict = native.test(text);
          expect([text, linear(text), forgetful(text)]).toEqual([text, verdict, verdict]);
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(tested).toBeGreaterThan(500);
});

/** A pattern, and a text that it matches from end to end. */
interface Matched {
  source: string;
  text: string;
}

const MAX_TEXT = 60;
const character = fc.oneof(
  ...[
    ["[a-c]", "abc"],
    ["\\d", "09"],
    ["[^\\d-]", "abé "],
    ["\\p{L}", "aé"],
    ["[\\u{1F600}-\\u{1F64F}é]", "😀é"],
    ["\\w", "a_9"],
    [".", "a😀 "],
    ["-", "-"],
  ].map(([source, unit]) =>
    fc.constantFrom(...unit!).map((text): Matched => ({ source: source!, text })),
  ),
);
const { matched } = fc.letrec<{ matched: Matched }>((tie) => ({
  matched: fc.oneof(
    { maxDepth: 3 },
    character,
    fc.array(tie("matched"), { minLength: 2, maxLength: 4 }).map((parts) => ({
      source: parts.map(({ source }) => source).join(""),
      text: parts.map(({ text }) => text).join(""),
    })),
    fc.tuple(tie("matched"), tie("matched"), fc.boolean()).map(([a, b, isFirst]) => ({
      source: `(${a.source}|${b.source})`,
      text: isFirst ? a.text : b.text,
    })),
    fc
      .tuple(tie("matched"), fc.nat(40), fc.nat(40), fc.boolean())
      .map(([{ source, text }, atLeast, more, isOpen]) => {
        const most = Math.ceil(MAX_TEXT / (text.length + 1));
        const min = atLeast % (most + 1);
        return {
          source: `(?:${source}){${min},${isOpen ? "" : min + more}}`,
          text: text.repeat(Math.min(most, min + (isOpen ? 1 : more))),
        };
      }),
  ),
}));
const edges = fc.constantFrom("", "^", "$", "\\b", "\\B");
const nearly = fc
  .record({
    body: matched,
    edges: fc.tuple(edges, edges),
    at: fc.nat(),
    removed: fc.nat(1),
    put: fc.constantFrom("", "a", "-", "9", "é", "😀", "\n"),
  })
  .map(({ body: { source, text }, edges: [before, after], at, removed, put }) => {
    const characters = [...text];
    const spoilt = characters.toSpliced(at % (characters.length + 1), removed, put).join("");
    return { source: `${before}${source}${after}`, samples: [text, spoilt, `${text}-${spoilt}`] };
  });

test("the linear engine gives the verdicts of the runtime's over texts that nearly match", () => {
  const verdicts = { true: 0, false: 0 };
  let largest = 0;
  fc.assert(
    fc.property(nearly, fc.nat(8), ({ source, samples }, maxFronts) => {
      const tree = parsePattern(source, true)!;
      const linear = linearTest(tree, "u");
      if (linear === undefined) return;
      const forgetful = linearTest(tree, "u", maxFronts)!;
      const native = new RegExp(source, "u");
      for (const text of samples) {
        if (!(backtrackingSteps(tree, text.length) <= 1e5)) continue;
        const verdict = native.test(text);
        expect([text, linear(text), forgetful(text)]).toEqual([text, verdict, verdict]);
        verdicts[`${verdict}`]++;
        largest = Math.max(largest, buildAutomaton(tree, "u")!.characters.length);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(verdicts.true).toBeGreaterThan(500);
  expect(verdicts.false).toBeGreaterThan(500);
  expect(largest).toBeGreaterThan(64);
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

describe("what the linear engine does for a text", () => {
  const text = Array.from({ length: 20_000 }, (_item, i) => "ab"[Math.floor(i ** 1.5) % 2]).join(
    "",
  );

  test.each(["^(a|b)*a(a|b){12}$", "^(a|b)*a(a|b){300}$", "a.{0,300}c", "^(a?b?){200}c\\b"])(
    "%s takes one step for each character, and tables by its states alone",
    (source) => {
      onTestFinished(() => void vi.restoreAllMocks());
      const steps = vi.spyOn(StateSets.prototype, "reach");
      const tables = vi.spyOn(StateSets.prototype, "tableOf");
      const tree = parsePattern(source, true)!;
      const { characters } = buildAutomaton(tree, "u")!;
      const linear = linearTest(tree, "u")!;
      linear(`${text}!`);
      expect(steps.mock.calls.length).toBeLessThanOrEqual(text.length + 3);
      const blocks = Math.ceil((characters.length + 2) / 8);
      const places = new Set(tables.mock.calls.map(([, before, after]) => `${before}${after}`));
      expect(places.size).toBeLessThanOrEqual(9);
      expect(tables.mock.calls.length).toBeLessThanOrEqual(blocks * places.size);
      const made = tables.mock.calls.length;
      linear(`${text}b!`);
      linear(`b${text}!`);
      expect(tables.mock.calls.length - made).toBeLessThan(blocks);
    },
  );

  test("asks a character's matchers once, though a text has every one of the basic plane", () => {
    const automaton = buildAutomaton(parsePattern("[\\u4e00-\\u9fff]+\\d", true)!, "u")!;
    const asked = automaton.matchers.map((matcher) => vi.spyOn(matcher, "test"));
    const kindOf = createKinds(automaton, new StateSets(automaton));
    for (let round = 0; round < 2; round++) for (let code = 0; code < 2 ** 16; code++) kindOf(code);
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual([2 ** 16, 2 ** 16]);
  });
});

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
