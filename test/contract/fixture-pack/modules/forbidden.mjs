import { writeFileSync } from "node:fs";

/** What Deno's serve task doesn't permit. */
export default (input) => {
  if (input.what === "write") writeFileSync(input.path, "written");
  else new globalThis.Deno.Command("env").outputSync();
  return { went: true };
};
