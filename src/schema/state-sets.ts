import type { Automaton, State } from "./automaton.ts";
import type { Edge } from "./pattern-tree.ts";

/** What is beside a place in a text: the text's edge, a character of a word, or another one. */
export const BESIDE = { edge: 0, word: 1, other: 2 } as const;

export type Beside = (typeof BESIDE)[keyof typeof BESIDE];

const WORD_BITS = 32;
/** Bits of a set that are looked up at once. */
const BLOCK_BITS = 8;
const BLOCK_VALUES = 2 ** BLOCK_BITS;
const BLOCKS_PER_WORD = WORD_BITS / BLOCK_BITS;

/** What each value of a block reaches at a place. */
interface Table {
  /** The words in which anything is reached. */
  words: Uint16Array;
  /** Of each value, those words. */
  rows: Int32Array;
}

/**
 * Sets of an automaton's states as bits: bit 0 is its start, the next are its characters, in their order, and the last is
 * its match.
 */
export class StateSets {
  readonly #automaton: Automaton;
  readonly #bits: ReadonlyMap<State, number>;
  readonly #match: number;
  /** Words of a set. */
  readonly #length: number;
  /** By place, by block. */
  readonly #tables: Table[][] = Array.from({ length: 9 }, () => []);

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#bits = new Map(automaton.characters.map((state, i) => [state, i + 1]));
    this.#match = automaton.characters.length + 1;
    this.#length = Math.floor(this.#match / WORD_BITS) + 1;
  }

  of(bits: readonly number[]): Int32Array {
    const set = new Int32Array(this.#length);
    for (const bit of bits) set[Math.floor(bit / WORD_BITS)]! |= 1 << (bit % WORD_BITS);
    return set;
  }

  start(): Int32Array {
    return this.of([0]);
  }

  /** The characters of the pattern that accept one of a text, by what the matchers say of it. */
  accepting(matchedBy: readonly boolean[]): Int32Array {
    const { characters } = this.#automaton;
    return this.of(characters.flatMap(({ matcher }, i) => (matchedBy[matcher] ? [i + 1] : [])));
  }

  /**
   * Puts the characters and the match that may be next after a set's into `reached`, and returns whether the match is one.
   * It takes a look-up for each block of the set that isn't empty, whatever it reaches.
   */
  reach(set: Int32Array, before: Beside, after: Beside, reached: Int32Array): boolean {
    const tables = this.#tables[before * 3 + after]!;
    reached.fill(0);
    for (let i = 0; i < set.length; i++) {
      let block = i * BLOCKS_PER_WORD;
      for (let rest = set[i]!; rest !== 0; rest >>>= BLOCK_BITS, block++) {
        const value = rest & (BLOCK_VALUES - 1);
        if (value === 0) continue;
        const { words, rows } = (tables[block] ??= this.tableOf(block, before, after));
        const row = value * words.length;
        for (let j = 0; j < words.length; j++) reached[words[j]!]! |= rows[row + j]!;
      }
    }
    return (reached[reached.length - 1]! & (1 << (this.#match % WORD_BITS))) !== 0;
  }

  /** Made once for each block and place, when a text first asks for it. */
  tableOf(block: number, before: Beside, after: Beside): Table {
    const next = Array.from({ length: BLOCK_BITS }, (_item, i) =>
      this.#next(block * BLOCK_BITS + i, before, after),
    );
    const words = Uint16Array.from(next[0]!.keys()).filter((word) =>
      next.some((set) => set[word] !== 0),
    );
    const rows = new Int32Array(BLOCK_VALUES * words.length);
    for (let value = 1; value < BLOCK_VALUES; value++) {
      const rest = value & (value - 1);
      const lowest = next[Math.log2(value - rest)]!;
      words.forEach((word, j) => {
        rows[value * words.length + j] = rows[rest * words.length + j]! | lowest[word]!;
      });
    }
    return { words, rows };
  }

  /** The characters and the match that may be next after one bit. */
  #next(bit: number, before: Beside, after: Beside): Int32Array {
    const { start, characters } = this.#automaton;
    const from = bit === 0 ? start : characters[bit - 1]?.next;
    const seen = new Set(from === undefined ? [] : [from]);
    const next: number[] = [];
    for (const state of seen) {
      if (state.kind === "match") next.push(this.#match);
      else if (state.kind === "character") next.push(this.#bits.get(state)!);
      else if (state.kind === "fork") for (const one of state.next) seen.add(one);
      else if (holds(state.at, before, after)) seen.add(state.next);
    }
    return this.of(next);
  }
}

function holds(edge: Edge, before: Beside, after: Beside): boolean {
  if (edge === "start") return before === BESIDE.edge;
  if (edge === "end") return after === BESIDE.edge;
  return ((before === BESIDE.word) !== (after === BESIDE.word)) === (edge === "word");
}
