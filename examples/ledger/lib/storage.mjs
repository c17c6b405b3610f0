import { processEnv } from "./context.mjs";

/**
 * Where the ledger's text is kept.
 *
 * @typedef {object} Storage
 * @property {"file" | "memory"} kind
 * @property {string} place for messages
 * @property {() => Promise<string | undefined>} read `undefined` when nothing is kept yet
 * @property {(text: string) => Promise<void>} replace all or nothing, also in a crash
 */

/** @type {string | undefined} */
let remembered;

/** @type {Storage} */
const memory = {
  kind: "memory",
  place: "memory",
  read: async () => remembered,
  replace: async (text) => {
    remembered = text;
  },
};

/**
 * The file `LEDGER_FILE`, else `ledger-data/ledger.json` in the pack's folder. Where there are no files or no
 * folder, as at the edge, the ledger lives in memory, as long as its process does. Throws when `LEDGER_FILE` is
 * set in a runtime without files.
 *
 * `LEDGER_FILE` may say `:memory:`, for a runtime whose files are not to be written. It is read from the process alone: a caller that could choose it could overwrite any file.
 *
 * @returns {Storage}
 */
export function openStorage() {
  const named = processEnv("LEDGER_FILE");
  if (named === ":memory:") return memory;
  // Asked for, not imported: a static import of a Node module would keep the pack from loading at the edge.
  const builtin = globalThis.process?.getBuiltinModule;
  if (!builtin) {
    if (named === undefined) return memory;
    throw new Error(
      "This runtime gives no access to files: unset LEDGER_FILE to keep the ledger in memory",
    );
  }
  const path = named ?? defaultPath(builtin("node:url"));
  if (path === undefined) return memory;
  return fileStorage(path, builtin("node:fs/promises"), builtin("node:path").dirname(path));
}

/** @param {typeof import("node:url")} url */
function defaultPath({ fileURLToPath }) {
  const here = import.meta.url;
  return here?.startsWith("file:")
    ? fileURLToPath(new URL("../ledger-data/ledger.json", here))
    : undefined;
}

/**
 * @param {string} path
 * @param {typeof import("node:fs/promises")} fs
 * @param {string} folder
 * @returns {Storage}
 */
function fileStorage(path, fs, folder) {
  return {
    kind: "file",
    place: path,
    async read() {
      try {
        return await fs.readFile(path, "utf8");
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async replace(text) {
      await fs.mkdir(folder, { recursive: true });
      // In the same folder: a rename is atomic only within one file system.
      const draft = `${path}.${crypto.randomUUID()}.tmp`;
      try {
        await writeDraft(fs, draft, text);
        await fs.rename(draft, path);
      } catch (error) {
        await fs.rm(draft, { force: true });
        throw error;
      }
    },
  };
}

/**
 * Returns once the text is on the disk: a rename that got there first would leave an empty file after a crash.
 *
 * @param {typeof import("node:fs/promises")} fs
 * @param {string} path
 * @param {string} text
 */
async function writeDraft(fs, path, text) {
  const file = await fs.open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
