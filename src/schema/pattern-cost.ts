import type { PatternTree } from "./pattern-tree.ts";

interface Cost {
  /** In how many ways it can match from one start, at most. */
  ways: number;
  /** How many steps trying all of them takes, at most. */
  steps: number;
}

/**
 * The most steps that a backtracking engine takes to search a text of some length for a pattern, counted without regard
 * to what excludes what: never too low, often too high.
 */
export function backtrackingSteps(tree: PatternTree, length: number): number {
  const { steps } = cost(tree, length);
  return steps * (startsAtStart(tree) ? 1 : length + 1);
}

/** Whether a pattern can match at the start of the text only. */
export function startsAtStart(tree: PatternTree): boolean {
  if (tree.kind === "edge") return tree.at === "start";
  if (tree.kind === "choice") return tree.branches.every(startsAtStart);
  return tree.kind === "sequence" && tree.parts[0] !== undefined && startsAtStart(tree.parts[0]);
}

function cost(tree: PatternTree, length: number): Cost {
  switch (tree.kind) {
    case "character":
    case "edge":
      return { ways: 1, steps: 1 };
    case "backreference":
      return { ways: 1, steps: length };
    case "look":
      // Once it has held or failed it isn't tried in another way.
      return { ways: 1, steps: cost(tree.body, length).steps };
    case "choice":
      return tree.branches
        .map((branch) => cost(branch, length))
        .reduce((a, b) => ({ ways: a.ways + b.ways, steps: a.steps + b.steps }));
    case "sequence":
      return tree.parts
        .map((part) => cost(part, length))
        .reduce((a, b) => ({ ways: a.ways * b.ways, steps: a.steps + a.ways * b.steps }), {
          ways: 1,
          steps: 1,
        });
    case "repeat":
      return repeatCost(
        cost(tree.body, length),
        tree.min,
        Math.min(tree.max, Math.max(length, tree.min)),
      );
  }
}

function repeatCost(body: Cost, min: number, max: number): Cost {
  if (body.ways === 1) return { ways: max - min + 1, steps: 1 + max * body.steps };
  const total = body.ways ** (max + 1) / (body.ways - 1);
  return { ways: total, steps: 1 + total * body.steps };
}
