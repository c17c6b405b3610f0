import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set();

// An interrupted benchmark leaves nothing behind.
process.on("exit", () => folders.forEach(remove));

/** Runs `use` with a folder that is there as long as it runs. */
export async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-bench-"));
  folders.add(folder);
  try {
    return await use(folder);
  } finally {
    remove(folder);
  }
}

function remove(folder) {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}
