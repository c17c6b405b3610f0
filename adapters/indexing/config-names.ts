/** The name of a pack's configuration, without its extension. */
export const CONFIG_NAME = "kindgi.config";

/** The files that may hold a pack's configuration. */
export const CONFIG_FILES: readonly string[] = ["ts", "mts", "mjs", "js", "cjs", "json"].map(
  (extension) => `${CONFIG_NAME}.${extension}`,
);
