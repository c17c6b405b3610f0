import { readFileSync } from "node:fs";

/**
 * `deno task serve`, or, for pack code that needs more than the task permits, what that task runs with these
 * permissions added.
 */
export function denoArguments(permissions: readonly string[]): string[] {
  if (permissions.length === 0) return ["task", "--quiet", "serve"];
  const config = JSON.parse(readFileSync(new URL("../../deno.json", import.meta.url), "utf8"));
  const serve: unknown = config.tasks?.serve?.command ?? config.tasks?.serve;
  const [, rest] = String(serve).split("deno run ");
  if (rest === undefined) throw new Error(`the task "serve" of deno.json isn't "deno run …"`);
  return ["run", ...permissions.map((permission) => `--allow-${permission}`), ...rest.split(/\s+/)];
}
