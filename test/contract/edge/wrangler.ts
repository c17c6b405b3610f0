import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseConfigFileTextToJson } from "typescript";

/** What the example's wrangler.jsonc says of its worker. */
export interface WranglerConfig {
  main: string;
  build: { command: string };
  no_bundle: boolean;
  compatibility_date: string;
  compatibility_flags: readonly string[];
}

export const EXAMPLE = fileURLToPath(new URL("../../../examples/ledger", import.meta.url));

export function readWrangler(): WranglerConfig {
  const file = `${EXAMPLE}/wrangler.jsonc`;
  const { config, error } = parseConfigFileTextToJson(file, readFileSync(file, "utf8"));
  if (error) throw new Error(`${file} is not JSON with comments`);
  return config as WranglerConfig;
}
