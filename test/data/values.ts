import fc from "fast-check";

/** What a value is replaced by: something of every type, and what has tripped validators. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  1e21,
  "",
  "a",
  "é😀",
  "2026-12-01",
  [],
  [1, 1],
  {},
  { constructor: 1, toString: null },
];

const PROTO = JSON.parse('{"__proto__":{"a":1},"length":"x"}') as unknown;

/** A value near one that a schema describes: built from it member by member, then changed in places. */
export function valuesNear(schema: unknown): fc.Arbitrary<string> {
  const odd = fc.oneof(fc.constantFrom(...ODD, PROTO), fc.jsonValue({ maxDepth: 2 }));
  const near = nearTo(schema, odd, 4);
  return near.map((value) => JSON.stringify(value) ?? "null");
}

/** A sample with one of its parts, or none, replaced. */
export function mutationsOf(sample: unknown): fc.Arbitrary<string> {
  const places = placesIn(sample);
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...ODD, PROTO), fc.boolean())
    .map(([place, value, removes]) => {
      const copy: unknown = structuredClone({ root: sample });
      const { holder, key } = follow(copy, ["root", ...place]);
      if (removes && place.length > 0 && !Array.isArray(holder)) delete holder[key];
      else holder[key] = value;
      return JSON.stringify((copy as { root: unknown }).root) ?? "null";
    });
}

type Node = Record<string, unknown>;

function nearTo(schema: unknown, odd: fc.Arbitrary<unknown>, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema !== "object" || schema === null || depth === 0) return odd;
  const node = schema as Node;
  const likely: fc.Arbitrary<unknown>[] = [];
  if (Array.isArray(node.enum) && node.enum.length > 0) likely.push(fc.constantFrom(...node.enum));
  if ("const" in node) likely.push(fc.constant(node.const));
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const branches = node[keyword];
    if (Array.isArray(branches)) likely.push(...branches.map((one) => nearTo(one, odd, depth - 1)));
  }
  if (isNode(node.properties)) likely.push(objectNear(node.properties, odd, depth));
  const items = Array.isArray(node.items) ? node.items[0] : node.items;
  if (items !== undefined) likely.push(fc.array(nearTo(items, odd, depth - 1), { maxLength: 3 }));
  likely.push(...typesOf(node).flatMap((type) => SCALARS[type] ?? []));
  if (likely.length === 0) return odd;
  return fc.oneof({ arbitrary: fc.oneof(...likely), weight: 6 }, { arbitrary: odd, weight: 1 });
}

function objectNear(
  properties: Node,
  odd: fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  const names = Object.keys(properties).slice(0, 12);
  const members = names.map((name) => [name, nearTo(properties[name], odd, depth - 1)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [], noNullPrototype: true });
}

const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("a", "2026-12-01T10:00:00Z")),
  integer: fc.integer({ min: -3, max: 120 }),
  number: fc.oneof(fc.integer({ min: -3, max: 120 }), fc.constantFrom(0.01, 19.99, 1e300)),
  boolean: fc.boolean(),
  null: fc.constant(null),
  object: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  array: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
};

function typesOf({ type }: Node): string[] {
  if (Array.isArray(type)) return type.filter((one) => typeof one === "string");
  return typeof type === "string" ? [type] : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The path of every part of a value, the whole first. */
function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  const below = Object.entries(value).flatMap(([key, child]) => placesIn(child, [...path, key]));
  return [[...path], ...below];
}

function follow(root: unknown, path: readonly string[]): { holder: Node; key: string } {
  const holder = path.slice(0, -1).reduce((value, key) => (value as Node)[key], root) as Node;
  return { holder, key: path.at(-1)! };
}
