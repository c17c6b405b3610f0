/** Numbers below a bound, of which a seed gives always the same ones. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What an input is mutated with. */
export interface Material {
  corpus: readonly Uint8Array[];
  dictionary: readonly string[];
}

/** Longest input made, in bytes. */
const MAX_BYTES = 4_096;

/** Another input, made from one of the corpus by up to eight edits, of its bytes or of the JSON they are. */
export function mutate({ corpus, dictionary }: Material, random: Random): Uint8Array {
  let bytes = pick(corpus, random);
  for (let edits = 1 + random(8); edits > 0; edits--) {
    const edit = random(2) === 0 ? pick(BYTE_EDITS, random) : editJson;
    bytes = edit(bytes, { corpus, dictionary }, random).subarray(0, MAX_BYTES);
  }
  return bytes;
}

type Edit = (bytes: Uint8Array, material: Material, random: Random) => Uint8Array;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)]!;
}

function splice(bytes: Uint8Array, from: number, to: number, between: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...between, ...bytes.subarray(to)]);
}

const flipBit: Edit = (bytes, _material, random) => {
  const flipped = Uint8Array.from(bytes);
  const at = random(bytes.length || 1);
  flipped[at] = (bytes[at] ?? 0) ^ (1 << random(8));
  return flipped;
};

const setByte: Edit = (bytes, _material, random) => {
  const at = random(bytes.length + 1);
  return splice(bytes, at, at + random(2), Uint8Array.of(random(256)));
};

const cutRange: Edit = (bytes, _material, random) => {
  const from = random(bytes.length + 1);
  return splice(bytes, from, from + random(32), new Uint8Array());
};

const repeatRange: Edit = (bytes, _material, random) => {
  const from = random(bytes.length + 1);
  return splice(bytes, from, from, bytes.subarray(from, from + 1 + random(64)));
};

const insertWord: Edit = (bytes, { dictionary }, random) => {
  const at = random(bytes.length + 1);
  const word = encode(pick(dictionary, random));
  return splice(bytes, at, at + (random(2) === 0 ? 0 : word.length), word);
};

const spliceOther: Edit = (bytes, { corpus }, random) => {
  const other = pick(corpus, random);
  return splice(
    bytes,
    random(bytes.length + 1),
    bytes.length,
    other.subarray(random(other.length + 1)),
  );
};

const BYTE_EDITS: readonly Edit[] = [
  flipBit,
  setByte,
  cutRange,
  repeatRange,
  insertWord,
  spliceOther,
];

const editJson: Edit = (bytes, material, random) => {
  const value = parse(bytes);
  if (value === undefined) return insertWord(bytes, material, random);
  const other = parse(pick(material.corpus, random));
  const text = JSON.stringify(edited(value, { ...material, other, random }));
  return encode(text.length > MAX_BYTES ? "[]" : text);
};

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

interface JsonEdit extends Material {
  other: unknown;
  random: Random;
}

/** A copy of a JSON value with a change at some place in it. */
function edited(value: unknown, edit: JsonEdit): unknown {
  const { random } = edit;
  const isInner = typeof value === "object" && value !== null;
  if (!isInner || random(4) === 0) return replacement(value, edit);
  const entries = Object.entries(value);
  const at = random(entries.length + 1);
  const [key, member] = entries[at] ?? [pick(edit.dictionary, random), 0];
  const change = random(6);
  if (change === 0) entries.splice(at, 1);
  else if (change === 1) entries.splice(at, 1, [pick(edit.dictionary, random), member]);
  else if (change === 2) entries.push([`${key}2`, member]);
  else entries.splice(at, 1, [key, edited(member, edit)]);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

const SCALARS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  2,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "\u0000",
  "\ud800",
  "é😀",
  [],
  {},
];

function replacement(value: unknown, { dictionary, other, random }: JsonEdit): unknown {
  switch (random(6)) {
    case 0:
      return pick(SCALARS, random);
    case 1:
      return pick(dictionary, random);
    case 2:
      return other === undefined ? value : partOf(other, random);
    case 3:
      return [value, value];
    case 4:
      return { [pick(dictionary, random)]: value };
    default:
      return typeof value === "string" ? value + pick(dictionary, random) : [value];
  }
}

function partOf(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random(3) === 0) return value;
  const members = Object.values(value);
  return members.length === 0 ? value : partOf(pick(members, random), random);
}
