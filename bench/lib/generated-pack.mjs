import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How the tools' schemas are related. */
export const SCHEMAS = { distinct: "distinct", equal: "equal" };

export function toolId(number) {
  return `tool-${number}`;
}

/** An input that every generated tool of these schemas takes. */
export function toolInput(number, schemas) {
  const suffix = suffixOf(number, schemas);
  return {
    [`name${suffix}`]: "Ada",
    [`amount${suffix}`]: 12,
    [`address${suffix}`]: { street: "Main Street 1", city: "Utrecht", country: "NL" },
    [`tags${suffix}`]: ["a", "b"],
  };
}

/** Writes a pack of so many tools, each in a module of its own. Returns the path of its index. */
export function writePack(folder, count, schemas) {
  mkdirSync(join(folder, "tools"), { recursive: true });
  const tools = Array.from({ length: count }, (_, number) => {
    const modulePath = `tools/${toolId(number)}.mjs`;
    const suffix = suffixOf(number, schemas);
    writeFileSync(join(folder, modulePath), moduleText(suffix));
    const [input, output] = [inputSchema(suffix), outputSchema(suffix)];
    return { id: toolId(number), description: "Adds", modulePath, input, output };
  });
  const pack = { v: 1, packId: "boot", packVersion: "1.0.0", artifactVersion: "boot.1" };
  const index = { ...pack, publishedAt: "2026-12-01T00:00:00.000Z", tools, guardrails: [] };
  const path = join(folder, "index.json");
  writeFileSync(path, JSON.stringify({ ...index, agents: [], flows: [] }));
  return path;
}

function suffixOf(number, schemas) {
  return schemas === SCHEMAS.equal ? "" : String(number);
}

function moduleText(suffix) {
  return `export default function run(input) {
  return { total${suffix}: input.amount${suffix} * 2, label${suffix}: input.name${suffix} };
}
`;
}

function inputSchema(suffix) {
  const text = { type: "string", minLength: 1, maxLength: 200 };
  const address = {
    type: "object",
    properties: { street: text, city: text, country: { enum: ["NL", "DE", "FR"] } },
    required: ["street", "city", "country"],
    additionalProperties: false,
  };
  return objectSchema({
    [`name${suffix}`]: text,
    [`amount${suffix}`]: { type: "number", minimum: 0, maximum: 1_000_000 },
    [`address${suffix}`]: address,
    [`tags${suffix}`]: { type: "array", items: text, maxItems: 10 },
  });
}

function outputSchema(suffix) {
  return objectSchema({
    [`total${suffix}`]: { type: "number" },
    [`label${suffix}`]: { type: "string" },
  });
}

function objectSchema(properties) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
