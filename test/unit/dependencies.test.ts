import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import {
  auditProblems,
  installScriptProblems,
  integrityProblems,
  licenceProblems,
  manifestProblems,
  publishedProblems,
} from "../dependency-rules.mjs";

const SCRIPT = fileURLToPath(new URL("../dependencies.mjs", import.meta.url));
const SOUND = { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==`, license: "MIT" };

const lockOf = (entry: object) => ({
  lockfileVersion: 3,
  packages: { "": { name: "fixture" }, "node_modules/a/node_modules/@s/p": { ...SOUND, ...entry } },
});

test("a sound package passes every rule on what is locked", () => {
  expect(integrityProblems(lockOf({}))).toEqual([]);
  expect(licenceProblems(lockOf({}))).toEqual([]);
  expect(installScriptProblems(lockOf({}), {})).toEqual([]);
});

test.each([
  { integrity: undefined },
  { integrity: "" },
  { integrity: "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
  { link: true },
])("a package locked with %o has no integrity", (entry) => {
  expect(integrityProblems(lockOf(entry))).toEqual(["@s/p 1.0.0 has no sha512 integrity"]);
});

test.each([
  "GPL-3.0",
  "AGPL-3.0-only",
  "UNLICENSED",
  "(MIT OR GPL-2.0)",
  "BlueOak-1.0.0",
  undefined,
])("the licence %s is not allowed", (license) => {
  expect(licenceProblems(lockOf({ license }))).toEqual([`@s/p 1.0.0 has the licence ${license}`]);
});

test("an exception holds for its package and its licence alone", () => {
  const exceptions = { "@s/p": { licence: "Zlib", reason: "a fixture" } };
  expect(licenceProblems(lockOf({ license: "Zlib" }), exceptions)).toEqual([]);
  expect(licenceProblems(lockOf({ license: "GPL-3.0" }), exceptions)).toHaveLength(1);
});

test("an install script is refused in what is published with, and elsewhere unless it is held back", () => {
  const production = lockOf({ hasInstallScript: true });
  const held = { allowScripts: { "@s/p": false } };
  expect(installScriptProblems(production, {})).toHaveLength(2);
  expect(installScriptProblems(production, held)).toHaveLength(1);
  const development = lockOf({ hasInstallScript: true, dev: true });
  expect(installScriptProblems(development, {})).toHaveLength(1);
  expect(installScriptProblems(development, { allowScripts: { "@s/p": true } })).toHaveLength(1);
  expect(installScriptProblems(development, held)).toEqual([]);
  expect(installScriptProblems({ ...production, isDevelopment: true }, held)).toEqual([]);
});

test.each(["preinstall", "install", "postinstall", "prepare", "prepublish"])(
  "a package with the script %s is refused",
  (name) => {
    expect(manifestProblems({ scripts: { [name]: "node x.js", build: "tsup" } })).toEqual([
      `package.json has the script ${name}`,
    ]);
  },
);

const PUBLISHED: Readonly<Record<string, string>> = {
  "package.json": "{}",
  "README.md": "",
  "SECURITY.md": "",
  LICENSE: "",
  "dist/THIRD-PARTY-LICENSES.txt": "",
  "dist/a.js": "1;\n//# sourceMappingURL=a.js.map\n",
  "dist/a.js.map": `{"sources":["../src/a.ts"],"sourcesContent":["1;"]}`,
};

function problemsOf(changes: Readonly<Record<string, string | undefined>>): string[] {
  const files = { ...PUBLISHED, ...changes };
  const paths = Object.keys(files).filter((path) => files[path] !== undefined);
  return publishedProblems(paths, (path: string) => files[path], "/built/here");
}

test("what is published", () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ "SECURITY.md": undefined })).toEqual(["SECURITY.md is not published"]);
  expect(problemsOf({ "test/a.test.js": "" })).toEqual(["test/a.test.js is published"]);
  expect(problemsOf({ "dist/b.js": "'/built/here/src'" })).toEqual([
    "dist/b.js names a path of the machine that built it",
  ]);
  expect(problemsOf({ "dist/a.js.map": `{"sources":["../src/a.ts"]}` })).toEqual([
    "dist/a.js.map points at ../src/a.ts, and doesn't hold it",
  ]);
  expect(problemsOf({ "dist/a.js.map": undefined })).toEqual([
    "dist/a.js names a.js.map, which is not published",
  ]);
});

test("npm audit: severe findings are problems, and no report is none", () => {
  const finding = (severity: string) => ({ vulnerabilities: { p: { name: "p", severity } } });
  expect(auditProblems(finding("critical")).problems).toEqual(["p: critical by npm audit"]);
  expect(auditProblems(finding("high")).problems).toHaveLength(1);
  expect(auditProblems(finding("moderate")).problems).toEqual([]);
  expect(auditProblems({ message: "405 Method Not Allowed" })).toEqual({
    leftOut: "405 Method Not Allowed",
  });
  expect(auditProblems(undefined).leftOut).toBe("it gave no report");
});

test("the script names every problem of a folder, and ends with 1", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-dependencies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const manifest = { name: "fixture", version: "1.0.0", scripts: { postinstall: "node x.js" } };
  const gpl = lockOf({ license: "GPL-3.0", integrity: undefined, hasInstallScript: true });
  const files: Record<string, unknown> = {
    "package.json": manifest,
    "package-lock.json": { name: "fixture", version: "1.0.0", ...gpl },
    "test/more/package.json": {},
    "test/more/package-lock.json": lockOf({ license: "SSPL-1.0" }),
    "secret.json": {},
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(content));
  }
  const env = { ...process.env, npm_config_offline: "true" };
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, folder], {
    env,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  for (const problem of [
    "@s/p 1.0.0 has no sha512 integrity",
    "@s/p 1.0.0 has the licence GPL-3.0",
    "@s/p 1.0.0 has the licence SSPL-1.0",
    "@s/p, which the published package needs, has an install script",
    "package.json has the script postinstall",
    "secret.json is published",
    "SECURITY.md is not published",
  ]) {
    expect(stdout).toContain(problem);
  }
});
