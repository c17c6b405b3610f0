import { buildAutomaton, isDeterministic } from "./automaton.ts";
import { linearTest } from "./linear-matcher.ts";
import { backtrackingSteps } from "./pattern-cost.ts";
import { parsePattern, type PatternTree } from "./pattern-tree.ts";

/** A regular expression that only tests. */
export interface Pattern {
  source: string;
  test(text: string): boolean;
  /** Whether no text, however long, can take the test more than time in proportion to its length. */
  isBounded: boolean;
}

/** Most steps, by estimate, that the runtime's own backtracking engine is trusted with: some ten milliseconds. */
const MAX_STEPS = 2 ** 22;

/** Steps for each character that are as good as linear. */
const LINEAR_STEPS = 16;

/** Longest text, in UTF-16 code units, that the estimate is asked about: more than a body can hold. */
const MAX_LENGTH = 2 ** 24;

/** Patterns by their source; equal ones are compiled once. */
export class Patterns {
  readonly #compiled = new Map<string, Pattern>();

  /** A pattern as JavaScript reads it: with the `u` flag where that is legal, without it otherwise. Throws a SyntaxError. */
  get(source: string): Pattern {
    let pattern = this.#compiled.get(source);
    if (pattern === undefined) {
      pattern = boundPattern(toRegExp(source));
      this.#compiled.set(source, pattern);
    }
    return pattern;
  }
}

function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

/**
 * The same test, bounded: a text too long for the runtime's own engine, which may take time exponential in its length, is
 * tested by one that takes time in proportion to it. A pattern that only the runtime's engine knows keeps to that one.
 */
export function boundPattern(native: RegExp): Pattern {
  const { source, flags } = native;
  const tree = parsePattern(source, flags.includes("u"));
  const limit = tree === undefined ? 0 : longestTrusted(tree, flags);
  const trusted = (text: string): boolean => {
    try {
      return native.test(text);
    } catch (error) {
      // The runtime's engine has run out of its own stack, which takes some megabytes of text.
      const linear = tree === undefined ? undefined : linearTest(tree, flags);
      if (linear === undefined) throw error;
      return linear(text);
    }
  };
  const own: Pattern = { source, test: trusted, isBounded: true };
  if (limit >= MAX_LENGTH) return own;
  const linear = tree === undefined ? undefined : linearTest(tree, flags);
  if (linear === undefined) return { ...own, isBounded: false };
  return { ...own, test: (text) => (text.length <= limit ? trusted(text) : linear(text)) };
}

/** The longest text that a pattern is left to the runtime's own engine for. */
function longestTrusted(tree: PatternTree, flags: string): number {
  const trusted = (steps: (length: number) => number): number => {
    for (let length = 1; length < MAX_LENGTH; length *= 2) {
      const next = length * 2;
      if (!(steps(next) <= Math.max(MAX_STEPS, LINEAR_STEPS * next))) return length;
    }
    return MAX_LENGTH;
  };
  const limit = trusted((length) => backtrackingSteps(tree, length));
  if (limit === MAX_LENGTH) return limit;
  const automaton = buildAutomaton(tree, flags);
  if (automaton === undefined || !isDeterministic(automaton)) return limit;
  return trusted((length) => (automaton.searches ? length * length : length));
}
