import { startsAtStart } from "./pattern-cost.ts";
import type { Edge, PatternTree } from "./pattern-tree.ts";

/** Most states of an automaton, and so the most that are followed at once. */
const MAX_STATES = 1_000;

export type State = CharacterState | ForkState | EdgeState | { kind: "match" };

export interface CharacterState {
  kind: "character";
  /** Index of the matcher. */
  matcher: number;
  next: State;
}

interface ForkState {
  kind: "fork";
  next: State[];
}

interface EdgeState {
  kind: "edge";
  at: Edge;
  next: State;
}

export interface Automaton {
  start: State;
  /** Whether a match may begin at any character. */
  searches: boolean;
  /** Whether it has an edge of a word, so that it matters which characters are a word's. */
  seesWords: boolean;
  /** One regular expression for each different character of the pattern. */
  matchers: RegExp[];
  characters: CharacterState[];
}

class TooBig extends Error {}

/** The automaton of a pattern; undefined if it is too big, or has a backreference or a look around. */
export function buildAutomaton(tree: PatternTree, flags: string): Automaton | undefined {
  const sources = new Map<string, number>();
  const characters: CharacterState[] = [];
  let count = 0;
  let seesWords = false;
  const add = <S extends State>(state: S): S => {
    if (++count > MAX_STATES) throw new TooBig();
    if (state.kind === "character") characters.push(state);
    return state;
  };
  const matcherOf = (source: string): number => {
    if (!sources.has(source)) sources.set(source, sources.size);
    return sources.get(source)!;
  };
  const repeat = ({ body, min, max }: PatternTree & { kind: "repeat" }, next: State): State => {
    let start = next;
    if (max === Infinity) {
      const loop: State = add({ kind: "fork", next: [next] });
      loop.next.push(link(body, loop));
      start = loop;
    } else {
      for (let i = min; i < max; i++)
        start = add({ kind: "fork", next: [link(body, start), next] });
    }
    for (let i = 0; i < min; i++) start = link(body, start);
    return start;
  };
  const link = (part: PatternTree, next: State): State => {
    switch (part.kind) {
      case "character":
        return add({ kind: "character", matcher: matcherOf(part.source), next });
      case "edge":
        seesWords ||= part.at === "word" || part.at === "inner";
        return add({ kind: "edge", at: part.at, next });
      case "sequence":
        return part.parts.reduceRight((state, inner) => link(inner, state), next);
      case "choice":
        return add({ kind: "fork", next: part.branches.map((branch) => link(branch, next)) });
      case "repeat":
        return repeat(part, next);
      default:
        throw new TooBig();
    }
  };
  try {
    const start = link(tree, { kind: "match" });
    const matchers = [...sources.keys()].map((source) => new RegExp(`^(?:${source})$`, flags));
    return { start, searches: !startsAtStart(tree), seesWords, matchers, characters };
  } catch (error) {
    if (error instanceof TooBig) return undefined;
    throw error;
  }
}

/**
 * Whether each character of a text leaves at most one way on. A backtracking engine then finds out at the next character
 * that a way is wrong, and takes time in proportion to the text from each start.
 */
export function isDeterministic({ start, matchers, characters }: Automaton): boolean {
  const reaches = matchers.map(reachOf);
  const waysOn = [start, ...characters.map(({ next }) => next)];
  return waysOn.every((state) => {
    const matched = waitingStates([state]).map(({ matcher }) => reaches[matcher]!);
    return matched.every((a, i) => matched.every((b, j) => i >= j || !overlap(a, b)));
  });
}

/** The states that wait for a character, edges taken for passable. */
function waitingStates(from: readonly State[]): CharacterState[] {
  const seen = new Set(from);
  const waiting: CharacterState[] = [];
  for (const state of seen) {
    if (state.kind === "character") waiting.push(state);
    else if (state.kind === "fork") for (const next of state.next) seen.add(next);
    else if (state.kind === "edge") seen.add(state.next);
  }
  return waiting;
}

/** Which characters of Latin-1 a matcher accepts, and at the end whether it may accept any other. */
type Reach = readonly boolean[];

const LATIN = Array.from({ length: 256 }, (_item, code) => String.fromCharCode(code));

function reachOf(matcher: RegExp): Reach {
  const { source, flags } = matcher;
  const namesOthers = /[^\0-\xff]|\\[upPDWSsc]|\[\^/.test(source) || source === "^(?:.)$";
  // Ignoring case, the long s and the Kelvin sign are an s and a k.
  const mayFold = flags.includes("i") && flags.includes("u");
  return [...LATIN.map((character) => matcher.test(character)), namesOthers || mayFold];
}

function overlap(a: Reach, b: Reach): boolean {
  return a.some((accepts, i) => accepts && b[i] === true);
}
