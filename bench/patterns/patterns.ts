/** A pattern and the texts that it is timed on. */
export interface Timed {
  source: string;
  texts: readonly string[];
  /** Longest text that the runtime's own engine is asked about: with the next it would not end. */
  nativeUpTo: number;
}

const ORDINARY_LENGTHS = [20, 200, 2_000];
const LONG = 100_000;

/** Of the usual kinds in a tool's schema: ids, addresses, slugs, dates, digests, versions, links, encoded bytes. */
const ORDINARY: readonly Timed[] = [
  ordinary("^[A-Za-z0-9_-]+$", "", "run_8Kq-2"),
  ordinary("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "3f2a9c1e-77b0-4d21-", "9a3e"),
  ordinary("^(cus|sub|inv)_[A-Za-z0-9]{8,}$", "cus_", "K9w"),
  ordinary("^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "jo@", "mail.example."),
  ordinary("^[a-z0-9]+(?:-[a-z0-9]+)*$", "", "a-slug-of-words"),
  ordinary("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$", "2031-04-05T06:07:08.", "12"),
  ordinary("^(?:[0-9a-fA-F]{2})+$", "", "c0ffee"),
  ordinary("^v?\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$", "1.20.3-", "rc.1-x"),
  ordinary("^https?://[^\\s/]+(/\\S*)?$", "https://a.example/", "path/to/"),
  ordinary("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "", "Zm9v"),
  ordinary("^(/[a-z0-9._-]+)+/?$", "", "/var/log.d"),
  ordinary("\\S", "", " "),
];

/** That have a backtracking engine try ways without end: with texts that it still ends with, and longer ones. */
const BACKTRACKING: readonly Timed[] = [
  backtracking("(a+)+$", "a", "!", 20),
  backtracking("^(a|a)*$", "a", "!", 18),
  backtracking("^(([a-z0-9]+)-?)+$", "a1", "!", 20),
  backtracking("(.*a){20}", "a", "", 19),
  backtracking("^(?:a?){20}a{20}!$", "a", "", 20),
  backtracking("(x+x+)+y", "x", "", 18),
  backtracking("\\s+$", " ", "!", 2_000),
];

/** That have the automaton hold many states at once. */
const MANY_STATES: readonly Timed[] = [
  manyStates("^(a|b)*a(a|b){12}$", ["a", "b"]),
  manyStates("^(a|b)*a(a|b){300}$", ["a", "b"]),
  manyStates("error.{0,200}code", ["error", "a", "err", "x "]),
  manyStates(".{3,490}!$", ["a", "b", "\n"]),
  manyStates(`^(?:${classes(490)})*!$`, ["a", "b", "c"]),
];

export const GROUPS: Readonly<Record<string, readonly Timed[]>> = {
  ordinary: ORDINARY,
  backtracking: BACKTRACKING,
  "many states": MANY_STATES,
};

/** With texts of some lengths that match up to their last character. */
function ordinary(source: string, start: string, unit: string): Timed {
  const texts = ORDINARY_LENGTHS.map((length) => filled(length, start, unit, ""));
  return { source, texts, nativeUpTo: Infinity };
}

function backtracking(source: string, unit: string, end: string, nativeUpTo: number): Timed {
  const texts = [nativeUpTo, 2_000, LONG].map((length) => filled(length, "", unit, end));
  return { source, texts: [...new Set(texts)], nativeUpTo };
}

function manyStates(source: string, units: readonly string[]): Timed {
  let text = "";
  for (let random = 1; text.length < LONG; random = (random * 16_807) % 2_147_483_647) {
    text += units[random % units.length]!;
  }
  return { source, texts: [text.slice(0, LONG)], nativeUpTo: 0 };
}

function filled(length: number, start: string, unit: string, end: string): string {
  const middle = Math.max(0, length - start.length - end.length);
  return `${start}${unit.repeat(middle)}`.slice(0, length - end.length) + end;
}

/** Alternatives that all are held after most characters. */
function classes(count: number): string {
  return Array.from({ length: count }, (_item, i) => `[${"abc"[i % 3]}-d]`).join("|");
}
