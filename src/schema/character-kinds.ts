import type { Automaton } from "./automaton.ts";
import { BESIDE, type Beside, type StateSets } from "./state-sets.ts";

/** Most characters outside Latin-1 that are remembered at a time. */
const MAX_REMEMBERED = 2 ** 16;

/** What an automaton needs to know of a character. */
export interface Kind {
  index: number;
  beside: Beside;
  /** The states that accept it. */
  accepting: Int32Array;
}

/** The kind of a character by its code. */
export function createKinds(automaton: Automaton, sets: StateSets): (code: number) => Kind {
  const { matchers, seesWords } = automaton;
  const kinds = new Map<string, Kind>();
  const latin: (Kind | undefined)[] = [];
  const others = new Map<number, Kind>();
  const find = (code: number): Kind => {
    const character = String.fromCodePoint(code);
    const matchedBy = matchers.map((matcher) => matcher.test(character));
    const beside = seesWords && /^\w$/.test(character) ? BESIDE.word : BESIDE.other;
    const key = `${beside}${matchedBy}`;
    let kind = kinds.get(key);
    if (kind === undefined)
      kinds.set(key, (kind = { index: kinds.size, beside, accepting: sets.accepting(matchedBy) }));
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
