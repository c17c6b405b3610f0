// The floor of a boot: imports the modules of the index it is given, side by side, and starts a bare server.
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { serve } from "./bare/serve.mjs";

const indexUrl = pathToFileURL(process.argv[2]);
const { tools } = JSON.parse(readFileSync(indexUrl, "utf8"));
const load = async ({ id, modulePath }) => [id, await import(new URL(modulePath, indexUrl).href)];
const modules = new Map(await Promise.all(tools.map(load)));

serve(async (text) => {
  const { tool, input } = JSON.parse(text);
  const output = await modules.get(tool.id).default(input);
  return JSON.stringify({ v: 2, kind: "result", output });
});
