import { readFile } from "node:fs/promises";
import { checkPackIndex, checkIdOf } from "../../src/pack-index.ts";
import type { PackIndex } from "../../src/pack-index.ts";
import { parseJson } from "../../src/json.ts";
import type { PagePack, PageTarget } from "./page-events.ts";

/** What the page shows of a pack; `undefined` when its index can't be read. */
export async function readPagePack(indexPath: string): Promise<PagePack | undefined> {
  try {
    const checked = checkPackIndex(parseJson(await readFile(indexPath, "utf8")));
    return "index" in checked ? pagePack(checked.index) : undefined;
  } catch {
    return undefined;
  }
}

function pagePack(index: PackIndex): PagePack {
  const tools = index.tools.map(({ id, version, description, input, output }): PageTarget => {
    return { kind: "tool", id, ...textMembers({ version, description }), input, output };
  });
  const checks = index.guardrails.map((guardrail): PageTarget => {
    const { name, configSchema = {}, config = {} } = guardrail;
    const id = checkIdOf(guardrail);
    return {
      kind: "check",
      id,
      ...textMembers({ description: name }),
      input: configSchema,
      config,
    };
  });
  const { packId: id, packVersion: version, artifactVersion } = index;
  return { id, version, artifactVersion, targets: [...tools, ...checks] };
}

function textMembers(members: Record<string, unknown>): Record<string, string> {
  const texts = Object.entries(members).filter((entry) => typeof entry[1] === "string");
  return Object.fromEntries(texts) as Record<string, string>;
}
