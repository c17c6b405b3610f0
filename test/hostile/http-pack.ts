import { indexOf, tool } from "../contract/packs.ts";
import type { PackSource } from "../contract/target.ts";

/** One tool that leaves a record of each run and gives back the id of its call. */
export const HOSTILE_PACK: PackSource = {
  index: indexOf({ tools: [tool("noted", "noted.mjs")] }),
  files: {
    "noted.mjs": `export default async ({ id, waitMs }, ctx) => {
  ctx.log.info("ran", { id });
  if (waitMs) await new Promise((resolve) => setTimeout(resolve, waitMs));
  return { id };
};
`,
  },
};
