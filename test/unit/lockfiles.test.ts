import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** Package → the versions that a lockfile holds of it. */
type Locked = Map<string, Set<string>>;

function lock(pairs: Iterable<readonly [name: string, version: string]>): Locked {
  const locked: Locked = new Map();
  for (const [name, version] of pairs) {
    locked.set(name, (locked.get(name) ?? new Set()).add(version));
  }
  return locked;
}

function npmLock(): Locked {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { version: string }>;
  };
  const entries = Object.entries(packages).filter(([path]) => path !== "");
  return lock(
    entries.map(([path, { version }]) => [path.replace(/^.*node_modules\//, ""), version]),
  );
}

/** In bun.lock every package is a line: `"key": ["name@version", …`. */
function bunLock(): Locked {
  const lines = read("bun.lock").matchAll(/^ {4}"[^"]+": \["(.+?)@([^@"]+)"/gm);
  return lock([...lines].map(([, name = "", version = ""]) => [name, version]));
}

/** In deno.lock a package is `name@version`, with the versions of its peers behind a `_`. */
function denoLock(): Locked {
  const { npm } = JSON.parse(read("deno.lock")) as { npm: Record<string, unknown> };
  const names = Object.keys(npm).map((key) => /^(.+?)@(\d[^_]*)/.exec(key) ?? []);
  return lock(names.map(([, name = "", version = ""]) => [name, version]));
}

describe.each([
  ["bun.lock", bunLock],
  ["deno.lock", denoLock],
])("%s", (_, readLock) => {
  test("holds the versions that package-lock.json does", () => {
    const npm = npmLock();
    const locked = readLock();
    expect(locked.size).toBeGreaterThan(50);
    for (const [name, versions] of locked) {
      const known = npm.get(name);
      for (const version of known ? versions : []) {
        expect([...(known ?? [])], name).toContain(version);
      }
    }
    const direct = Object.keys(JSON.parse(read("package.json")).dependencies);
    expect(direct.filter((name) => !locked.has(name))).toEqual([]);
  });
});

test.each([
  "package-lock.json",
  "bun.lock",
  "deno.lock",
  "test/embedding/package-lock.json",
  "test/libraries/package-lock.json",
  "test/runtimes/package-lock.json",
  "test/tools/package-lock.json",
])("%s names no place to download from", (name) => {
  expect(read(name)).not.toMatch(/"resolved"|\.tgz/);
});

test("deno.json asks for the versions that package.json does", () => {
  const { imports } = JSON.parse(read("deno.json")) as { imports: Record<string, string> };
  const { dependencies } = JSON.parse(read("package.json")) as {
    dependencies: Record<string, string>;
  };
  const asked = Object.values(imports).map((target) => /^npm:\/?(.+?)@([\d.]+)/.exec(target) ?? []);
  expect(asked.length).toBeGreaterThan(0);
  for (const [, name = "", version] of asked)
    expect([name, version]).toEqual([name, dependencies[name]]);
});
