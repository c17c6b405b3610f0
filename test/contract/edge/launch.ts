import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { requireRuntime } from "../../runtimes/runtimes.ts";
import { unique } from "../case.ts";
import { workerdConfig } from "./workerd-config.ts";

export type EdgeRuntime = "workerd" | "node" | "bun" | "deno";

/** A command line that serves a worker on a free port of the loopback, and says which. */
export interface Launch {
  path: string;
  args: string[];
  env: Record<string, string>;
}

/** @param variables the worker's settings and declared names: bindings, or the environment */
export function launchOf(
  runtime: EdgeRuntime,
  file: string,
  variables: Readonly<Record<string, string>>,
): Launch {
  const env = { PATH: process.env.PATH ?? "", HOME: tmpdir(), ...variables };
  const url = pathToFileURL(file).href;
  switch (runtime) {
    case "workerd": {
      const config = join(dirname(file), `${unique("config")}.capnp`);
      writeFileSync(config, workerdConfig(file, variables));
      const args = ["serve", config, "--control-fd=3"];
      return { path: requireRuntime("workerd"), args, env: {} };
    }
    case "node": {
      const args = ["--disallow-code-generation-from-strings", scriptOf("serve-node"), url];
      return { path: process.execPath, args, env };
    }
    case "bun": {
      const args = ["run", "--no-env-file", scriptOf("serve-bun"), url];
      return { path: requireRuntime("bun"), args, env };
    }
    case "deno":
      return denoLaunch([dirname(file)], [scriptOf("serve-deno"), url], env);
  }
}

/** Deno with what a worker needs there: its settings, its port, its own files. */
export function denoLaunch(
  readable: readonly string[],
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Launch {
  const permissions = ["--allow-env", "--allow-net=127.0.0.1", `--allow-read=${readable.join()}`];
  return {
    path: requireRuntime("deno"),
    args: ["run", "--no-prompt", "--unstable-no-legacy-abort", ...permissions, ...command],
    env: { ...env, DENO_DIR: `${tmpdir()}/pack-handler-deno`, DENO_NO_UPDATE_CHECK: "1" },
  };
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
}
