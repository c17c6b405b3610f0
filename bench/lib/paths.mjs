import { fileURLToPath } from "node:url";

/** Where the runtimes are started, so that they find the project's configuration. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BENCH = fileURLToPath(new URL("..", import.meta.url));
