import { readFileSync } from "node:fs";
import process from "node:process";

const index = JSON.parse(readFileSync(new URL("../pack/index.json", import.meta.url), "utf8"));
const [toolId] = process.argv.slice(2);

/** The one tool this server serves, named by its first argument. */
export const tool = index.tools.find(({ id }) => id === toolId);
if (!tool) throw new Error(`the pack has no tool "${toolId}"`);

const module = await import(new URL(`../pack/${tool.modulePath}`, import.meta.url).href);

export async function resultOf(input) {
  return { v: 2, kind: "result", output: await module.default(input) };
}

function objectSchema(properties) {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** The messages that the peers validate by schema, as a pack service does by its own code. */
export const requestSchema = objectSchema({
  v: { const: 2 },
  kind: { const: "invoke" },
  tool: objectSchema({ id: { const: tool.id } }),
  input: tool.input,
  ctx: objectSchema({ tenantId: { type: "string" }, runId: { type: "string" } }),
});
export const responseSchema = objectSchema({
  v: { const: 2 },
  kind: { const: "result" },
  output: tool.output,
});
