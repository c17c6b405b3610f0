import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A runtime that the contract cases run on. */
export type RuntimeName = "node20" | "node22" | "node24" | "node26" | "bun" | "deno";

/** All that is installed: workerd serves workers alone. */
export type BinaryName = RuntimeName | "workerd";

export const RUNTIME_NAMES: readonly RuntimeName[] = [
  "node20",
  "node22",
  "node24",
  "node26",
  "bun",
  "deno",
];

const platform = `${process.platform}-${process.arch === "arm64" ? "arm64" : "x64"}`;
const bunPlatform = platform.replace("arm64", "aarch64");

/** Where a runtime's package holds its binary: the package of this platform, so that no install script is needed. */
function packagedBinaries(name: BinaryName): string[] {
  switch (name) {
    case "bun":
      return [`@oven/bun-${bunPlatform}/bin/bun`, `@oven/bun-${bunPlatform}-musl/bin/bun`];
    case "deno":
      return [`@deno/${platform}-glibc/deno`, `@deno/${platform}/deno`];
    case "workerd":
      return [`@cloudflare/workerd-${platform.replace("x64", "64")}/bin/workerd`];
    default:
      return [`${name}-${platform}/bin/node`];
  }
}

/** The environment variable that names a binary to use instead of the packaged one. */
export function overrideName(name: BinaryName): string {
  return `PACK_TEST_${name.toUpperCase()}`;
}

/** The path of a runtime's binary, or `undefined` when it isn't installed. */
export function findRuntime(name: BinaryName): string | undefined {
  const override = process.env[overrideName(name)];
  const candidates = override
    ? [override]
    : packagedBinaries(name).map((path) =>
        fileURLToPath(new URL(`node_modules/${path}`, import.meta.url)),
      );
  return candidates.find((path) => existsSync(path));
}

/**
 * The path of a runtime's binary.
 * @throws Error that tells how to get it
 */
export function requireRuntime(name: BinaryName): string {
  const path = findRuntime(name);
  if (path) return path;
  throw new Error(
    `${name} is not installed: run "node test/install.mjs runtimes", or name a binary in ${overrideName(name)}`,
  );
}
