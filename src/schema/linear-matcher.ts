import { type Automaton, buildAutomaton, type CharacterState, type State } from "./automaton.ts";
import type { Edge, PatternTree } from "./pattern-tree.ts";

/** Most sets of states, and most kinds of characters outside Latin-1, that are remembered at a time. */
const MAX_REMEMBERED = 2_000;

type Test = (text: string) => boolean;

/** What the automaton needs to know of a character: who matches it. */
interface Kind {
  index: number;
  isWord: boolean;
  matchedBy: boolean[];
}

/** Where the automaton may be between two characters. */
interface Front {
  states: readonly State[];
  before: "start" | "word" | "other";
  /** What follows each kind of character: another front, or the outcome. */
  next: (Front | boolean | undefined)[];
}

/**
 * A test that takes time in proportion to the text, whatever the text: all ways to match are followed at once.
 * Undefined for a pattern that is too big, or has a backreference or a look around (except at its very start).
 */
export function linearTest(tree: PatternTree, flags: string): Test | undefined {
  const { looks, rest } = splitLooks(tree);
  const main = searchTest(rest, flags);
  const tests = looks.map(({ body, negated }) => ({ test: searchTest(body, flags), negated }));
  if (main === undefined || tests.some(({ test }) => test === undefined)) return undefined;
  return (text) => main(text) && tests.every(({ test, negated }) => test!(text) !== negated);
}

/** Takes the looks ahead off a pattern's start: each is a pattern of its own there. */
function splitLooks(tree: PatternTree): {
  looks: { body: PatternTree; negated: boolean }[];
  rest: PatternTree;
} {
  const [start, ...parts] = tree.kind === "sequence" ? tree.parts : [];
  if (start?.kind !== "edge" || start.at !== "start") return { looks: [], rest: tree };
  const looks: { body: PatternTree; negated: boolean }[] = [];
  let part = parts[0];
  while (part?.kind === "look" && !part.behind) {
    const body: PatternTree = { kind: "sequence", parts: [start, part.body] };
    looks.push({ body, negated: part.negated });
    parts.shift();
    part = parts[0];
  }
  return { looks, rest: { kind: "sequence", parts: [start, ...parts] } };
}

function searchTest(tree: PatternTree, flags: string): Test | undefined {
  const automaton = buildAutomaton(tree, flags);
  if (automaton === undefined) return undefined;
  const byCodePoint = flags.includes("u");
  const kindOf = createKinds(automaton.matchers);
  const end: Kind = { index: 0, isWord: false, matchedBy: [] };
  const fronts = createFronts(automaton);
  return (text) => {
    let front = fronts.first();
    for (let i = 0; i < text.length;) {
      const code = byCodePoint ? text.codePointAt(i)! : text.charCodeAt(i);
      const next = fronts.after(front, kindOf(code), false);
      if (typeof next === "boolean") return next;
      front = next;
      i += code > 0xffff ? 2 : 1;
    }
    return fronts.after(front, end, true) === true;
  };
}

function createKinds(matchers: readonly RegExp[]): (code: number) => Kind {
  const kinds = new Map<string, Kind>();
  const latin: (Kind | undefined)[] = [];
  const others = new Map<number, Kind>();
  const find = (code: number): Kind => {
    const character = String.fromCodePoint(code);
    const matchedBy = matchers.map((matcher) => matcher.test(character));
    const isWord = /^\w$/.test(character);
    const key = `${isWord}${matchedBy}`;
    let kind = kinds.get(key);
    // Index 0 is the end of the text.
    if (kind === undefined) kinds.set(key, (kind = { index: kinds.size + 1, isWord, matchedBy }));
    return kind;
  };
  return (code) => {
    if (code < 256) return (latin[code] ??= find(code));
    let kind = others.get(code);
    if (kind !== undefined) return kind;
    if (others.size >= MAX_REMEMBERED) others.clear();
    others.set(code, (kind = find(code)));
    return kind;
  };
}

interface Fronts {
  first: () => Front;
  after: (front: Front, kind: Kind, isEnd: boolean) => Front | boolean;
}

/** The fronts of an automaton, made as a text asks for them. */
function createFronts({ start, searches }: Automaton): Fronts {
  const ids = new Map<State, number>();
  const idOf = (state: State): number => {
    if (!ids.has(state)) ids.set(state, ids.size);
    return ids.get(state)!;
  };
  let fronts = new Map<string, Front>();
  const frontOf = (states: Set<State>, before: Front["before"]): Front => {
    const key = `${before}${[...states].map(idOf).toSorted()}`;
    let front = fronts.get(key);
    if (front !== undefined) return front;
    if (fronts.size >= MAX_REMEMBERED) fronts = new Map();
    fronts.set(key, (front = { states: [...states], before, next: [] }));
    return front;
  };
  const step = (front: Front, kind: Kind, isEnd: boolean): Front | boolean => {
    const reached = closure(front, kind, isEnd);
    if (reached === "match") return true;
    const next = new Set(searches ? [start] : []);
    for (const state of reached) if (kind.matchedBy[state.matcher] === true) next.add(state.next);
    if (isEnd || next.size === 0) return false;
    return frontOf(next, kind.isWord ? "word" : "other");
  };
  return {
    first: () => frontOf(new Set([start]), "start"),
    after: (front, kind, isEnd) => (front.next[kind.index] ??= step(front, kind, isEnd)),
  };
}

/** The states of a front that wait for a character, given what follows; or that one of them has matched. */
function closure(front: Front, follows: Kind, isEnd: boolean): CharacterState[] | "match" {
  const waiting: CharacterState[] = [];
  const seen = new Set(front.states);
  for (const state of seen) {
    if (state.kind === "match") return "match";
    if (state.kind === "character") waiting.push(state);
    else if (state.kind === "fork") for (const next of state.next) seen.add(next);
    else if (holds(state.at, front.before, follows, isEnd)) seen.add(state.next);
  }
  return waiting;
}

function holds(edge: Edge, before: Front["before"], follows: Kind, isEnd: boolean): boolean {
  if (edge === "start") return before === "start";
  if (edge === "end") return isEnd;
  return ((before === "word") !== follows.isWord) === (edge === "word");
}
