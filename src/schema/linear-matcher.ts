import { buildAutomaton } from "./automaton.ts";
import { createKinds } from "./character-kinds.ts";
import type { PatternTree } from "./pattern-tree.ts";
import { advance, type Front, Fronts } from "./fronts.ts";
import { BESIDE, StateSets } from "./state-sets.ts";

/** Most sets of states that are remembered. Texts that need more go on without. */
const MAX_FRONTS = 1_000;

type Test = (text: string) => boolean;

/**
 * A test that takes time in proportion to the text, whatever the text: all ways to match are followed at once.
 * Undefined for a pattern that is too big, or has a backreference or a look around (except at its very start).
 */
export function linearTest(
  tree: PatternTree,
  flags: string,
  maxFronts = MAX_FRONTS,
): Test | undefined {
  const { looks, rest } = splitLooks(tree);
  const main = searchTest(rest, flags, maxFronts);
  const tests = looks.map(({ body, negated }) => ({
    test: searchTest(body, flags, maxFronts),
    negated,
  }));
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

function searchTest(tree: PatternTree, flags: string, maxFronts: number): Test | undefined {
  const automaton = buildAutomaton(tree, flags);
  if (automaton === undefined) return undefined;
  const byCodePoint = flags.includes("u");
  const sets = new StateSets(automaton);
  const kindOf = createKinds(automaton, sets);
  const fronts = new Fronts(sets, automaton.searches, maxFronts);
  const codeAt = (text: string, at: number): number =>
    byCodePoint ? text.codePointAt(at)! : text.charCodeAt(at);
  /** From some place on, without remembering anything. */
  const testRest = (text: string, from: number, front: Front): boolean => {
    let set: Int32Array = front.set.slice();
    let reached: Int32Array = sets.of([]);
    let before = front.before;
    for (let i = from; i < text.length;) {
      const code = codeAt(text, i);
      const { beside, accepting } = kindOf(code);
      if (sets.reach(set, before, beside, reached)) return true;
      if (!advance(reached, accepting, automaton.searches)) return false;
      [set, reached] = [reached, set];
      before = beside;
      i += code > 0xffff ? 2 : 1;
    }
    return sets.reach(set, before, BESIDE.edge, reached);
  };
  return (text) => {
    let front = fronts.first;
    for (let i = 0; i < text.length;) {
      const code = codeAt(text, i);
      const next = fronts.after(front, kindOf(code));
      if (typeof next === "boolean") return next;
      if (next === undefined) return testRest(text, i, front);
      front = next;
      i += code > 0xffff ? 2 : 1;
    }
    return sets.reach(front.set, front.before, BESIDE.edge, sets.of([]));
  };
}
