// What a call allocates, in bytes. `node test/allocations/measure.mjs --renew` keeps the figures as those to expect.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, importTypeScript } from "../../bench/lib/typescript.mjs";
import { withFolder } from "../../bench/lib/temporary-folder.mjs";

/** Interpreted and on one thread, with room for a batch without a collection: then the figures repeat. */
const ARGUMENTS = [
  ...["--expose-gc", "--jitless", "--single-threaded"],
  ...["--min-semi-space-size=64", "--max-semi-space-size=64"],
];

/** Bytes that each kind of call allocates on the Node that the tests install. */
export async function measureAllocations() {
  const runtimes = new URL("../runtimes/runtimes.ts", import.meta.url);
  const { requireRuntime } = await importTypeScript(runtimes);
  return withFolder(async (folder) => {
    const script = join(folder, "calls.mjs");
    await bundle(new URL("calls.ts", import.meta.url), script);
    const output = execFileSync(requireRuntime("node20"), [...ARGUMENTS, script], {
      stdio: "pipe",
    });
    return JSON.parse(output.toString());
  });
}

const isMain = process.argv[1] === fileURLToPath(import.meta.url);
if (isMain) {
  const figures = await measureAllocations();
  const text = `${JSON.stringify(figures, undefined, 2)}\n`;
  process.stdout.write(text);
  if (process.argv.includes("--renew"))
    writeFileSync(new URL("expected.json", import.meta.url), text);
}
