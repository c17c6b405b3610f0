import { t } from "elysia";

const BY_TYPE = {
  object: ({ properties, required, ...options }) => {
    const members = Object.entries(properties).map(([name, member]) => {
      const type = toTypeBox(member);
      return [name, required.includes(name) ? type : t.Optional(type)];
    });
    return t.Object(Object.fromEntries(members), options);
  },
  array: ({ items, ...options }) => t.Array(toTypeBox(items), options),
  string: (options) => t.String(options),
  number: (options) => t.Number(options),
  integer: (options) => t.Integer(options),
};

/** A JSON Schema as the TypeBox schema that Elysia compiles; as much of JSON Schema as the bench pack needs. */
export function toTypeBox({ type, ...schema }) {
  if (schema.const !== undefined) return t.Literal(schema.const);
  return BY_TYPE[type](schema);
}
