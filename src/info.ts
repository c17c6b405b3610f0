import { checkIdOf } from "./pack-index.ts";
import type { PackIndex } from "./pack-index.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";
import type { Info } from "./protocol.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The answer to `GET /v1/info`. */
export function packInfo(index: PackIndex, missingEnv: readonly string[]): Info {
  return {
    protocol: PROTOCOL_VERSION,
    packId: index.packId,
    packVersion: index.packVersion,
    artifactVersion: index.artifactVersion,
    tools: index.tools.map(({ id, version }) => (version === undefined ? { id } : { id, version })),
    checks: index.guardrails.map(checkIdOf),
    missingEnv: [...missingEnv],
  };
}

/** The required names that an environment lacks or holds empty, sorted. */
export function missingNames(index: PackIndex, env: Environment): string[] {
  const missing = (index.env?.required ?? []).filter((name) => !valueOf(env, name));
  return [...new Set(missing)].toSorted();
}

/** The values of the names an index declares: what its environment holds that must be in no record. */
export function declaredValues(index: PackIndex, env: Environment): string[] {
  return declaredNames(index)
    .map((name) => valueOf(env, name))
    .filter((value) => value !== "");
}

/** The environment names that an index declares. */
export function declaredNames({ env = {} }: PackIndex): string[] {
  const { required = [], optional = [] } = env;
  return [...required, ...optional];
}

/** An environment is asked for its own names only: none is called `constructor` by inheritance. */
function valueOf(env: Environment, name: string): string {
  return (Object.hasOwn(env, name) ? env[name] : undefined) ?? "";
}
