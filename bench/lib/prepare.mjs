import { execFileSync } from "node:child_process";
import { ROOT } from "./paths.mjs";
import { importTypeScript } from "./typescript.mjs";

/** Installs and builds what the benchmarks of a runtime need. Returns the path of its binary. */
export async function prepare(runtime) {
  run(process.execPath, ["test/install.mjs", "../bench"]);
  if (runtime === "node") {
    run("npm", ["run", "--silent", "build"]);
    return process.execPath;
  }
  run(process.execPath, ["test/install.mjs", "runtimes"]);
  const runtimes = new URL("../../test/runtimes/runtimes.ts", import.meta.url);
  const { requireRuntime } = await importTypeScript(runtimes);
  return requireRuntime(runtime);
}

function run(command, args) {
  execFileSync(command, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
}
