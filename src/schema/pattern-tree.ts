/** A regular expression taken apart. */
export type PatternTree =
  /** One character; `source` is the regular expression that it matches by itself. */
  | { kind: "character"; source: string }
  | { kind: "sequence"; parts: PatternTree[] }
  | { kind: "choice"; branches: PatternTree[] }
  | { kind: "repeat"; body: PatternTree; min: number; max: number }
  | { kind: "edge"; at: Edge }
  | { kind: "look"; body: PatternTree; behind: boolean; negated: boolean }
  | { kind: "backreference" };

/** A place between characters: `^`, `$`, `\b`, `\B`. */
export type Edge = "start" | "end" | "word" | "inner";

/** Takes a legal regular expression apart; undefined for one with syntax newer than this reader. */
export function parsePattern(source: string, unicode: boolean): PatternTree | undefined {
  const reader = new Reader(source, unicode);
  try {
    const tree = reader.choice();
    return reader.done ? tree : undefined;
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined;
    throw error;
  }
}

class UnknownSyntax extends Error {}

const GROUPS: readonly [opening: RegExp, look?: { behind: boolean; negated: boolean }][] = [
  [/\(\?:/y],
  [/\(\?=/y, { behind: false, negated: false }],
  [/\(\?!/y, { behind: false, negated: true }],
  [/\(\?<=/y, { behind: true, negated: false }],
  [/\(\?<!/y, { behind: true, negated: true }],
  [/\(\?<[^>]*>/y],
  [/\((?!\?)/y],
];

const EDGES: ReadonlyMap<string, Edge> = new Map([
  ["^", "start"],
  ["$", "end"],
  ["\\b", "word"],
  ["\\B", "inner"],
]);

const CLASS = /\[(?:[^\]\\]|\\[^])*\]/y;
const BACKREFERENCE = /\\(?:[1-9]|k<)/y;
const UNICODE_ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\})/y;
const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/y;
const QUANTIFIER = /([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y;

class Reader {
  readonly #source: string;
  readonly #unicode: boolean;
  #at = 0;

  constructor(source: string, unicode: boolean) {
    this.#source = source;
    this.#unicode = unicode;
  }

  get done(): boolean {
    return this.#at === this.#source.length;
  }

  choice(): PatternTree {
    const branches = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) branches.push(this.#sequence());
    return branches.length === 1 ? branches[0]! : { kind: "choice", branches };
  }

  #sequence(): PatternTree {
    const parts: PatternTree[] = [];
    while (!this.done && !/[|)]/.test(this.#source[this.#at]!)) parts.push(this.#term());
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  #term(): PatternTree {
    const body = this.#atom();
    const quantifier = this.#take(QUANTIFIER);
    if (quantifier === undefined) return body;
    const [, sign, count, comma, most] = quantifier;
    const min = sign === undefined ? Number(count) : sign === "+" ? 1 : 0;
    const max = sign === undefined ? upperBound(min, comma, most) : sign === "?" ? 1 : Infinity;
    return { kind: "repeat", body, min, max };
  }

  #atom(): PatternTree {
    const edge = this.#take(/\^|\$|\\b|\\B/y);
    if (edge !== undefined) return { kind: "edge", at: EDGES.get(edge[0])! };
    if (this.#source[this.#at] === "(") return this.#group();
    if (this.#take(BACKREFERENCE) !== undefined) {
      this.#take(/[^>]*>|\d*/y);
      return { kind: "backreference" };
    }
    const special = this.#take(CLASS) ?? (this.#unicode ? this.#take(UNICODE_ESCAPE) : undefined);
    const character = special ?? this.#take(ESCAPE) ?? this.#take(this.#unicode ? /[^]/uy : /[^]/y);
    return { kind: "character", source: literal(character![0]) };
  }

  #group(): PatternTree {
    for (const [opening, look] of GROUPS) {
      if (this.#take(opening) === undefined) continue;
      const body = this.choice();
      if (this.#take(/\)/y) === undefined) throw new UnknownSyntax();
      return look === undefined ? body : { kind: "look", body, ...look };
    }
    throw new UnknownSyntax();
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#source) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }
}

function upperBound(min: number, comma: string | undefined, most: string | undefined): number {
  if (comma === undefined) return min;
  return most === "" || most === undefined ? Infinity : Number(most);
}

/** A brace or bracket that stands for itself needs a backslash to stand alone. */
function literal(source: string): string {
  return /^[{}\]]$/.test(source) ? `\\${source}` : source;
}
