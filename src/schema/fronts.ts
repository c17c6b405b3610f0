import type { Kind } from "./character-kinds.ts";
import { BESIDE, type Beside, type StateSets } from "./state-sets.ts";

/** Where an automaton may be between two characters. */
export interface Front {
  set: Int32Array;
  before: Beside;
  /** What follows each kind of character: another front, or the outcome. */
  next: (Front | boolean | undefined)[];
}

/** The fronts of an automaton, remembered as texts ask for them, so that a step to a known one is a look-up. */
export class Fronts {
  readonly first: Front;
  readonly #sets: StateSets;
  readonly #searches: boolean;
  readonly #most: number;
  readonly #remembered = new Map<string, Front>();

  constructor(sets: StateSets, searches: boolean, most: number) {
    this.#most = most;
    this.#sets = sets;
    this.#searches = searches;
    this.first = { set: sets.start(), before: BESIDE.edge, next: [] };
  }

  /** Undefined if it isn't remembered and there is no room for it. */
  after(front: Front, kind: Kind): Front | boolean | undefined {
    return (front.next[kind.index] ??= this.#step(front, kind));
  }

  #step({ set, before }: Front, { beside, accepting }: Kind): Front | boolean | undefined {
    const reached = this.#sets.of([]);
    if (this.#sets.reach(set, before, beside, reached)) return true;
    if (!advance(reached, accepting, this.#searches)) return false;
    const key = `${beside}:${reached.join()}`;
    const known = this.#remembered.get(key);
    if (known !== undefined || this.#remembered.size >= this.#most) return known;
    const front: Front = { set: reached, before: beside, next: [] };
    this.#remembered.set(key, front);
    return front;
  }
}

/** Keeps of what is reached what accepts a character; returns whether a match may still come. */
export function advance(reached: Int32Array, accepting: Int32Array, searches: boolean): boolean {
  let left = 0;
  for (let i = 0; i < reached.length; i++) left |= reached[i]! &= accepting[i]!;
  if (searches) reached[0]! |= 1;
  return searches || left !== 0;
}
