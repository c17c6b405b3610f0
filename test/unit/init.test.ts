import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { detectRuntime } from "../../adapters/commands/init-runtime.ts";
import { runCommand } from "../../adapters/commands/run-command.ts";
import { buildIndex } from "../../adapters/indexing/build-index.ts";
import { indexText } from "../../adapters/indexing/index-text.ts";
import { requireRuntime } from "../runtimes/runtimes.ts";
import type { RuntimeName } from "../runtimes/runtimes.ts";
import { addFiles } from "./pack-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-init-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Run {
  environment?: Record<string, string>;
  answer?: string;
}

async function init(args: string[], { environment = {}, answer }: Run = {}) {
  let out = "";
  let errors = "";
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answer ?? "";
  };
  const code = await runCommand(["init", ...args], {
    entry: "",
    environment,
    stdout: { isTerminal: false, write: (text) => (out += text) },
    stderr: { isTerminal: false, write: (text) => (errors += text) },
    readStdin: async () => "",
    ...(answer === undefined ? {} : { ask }),
  });
  return { code, out, errors, questions };
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes("."))
    .toSorted();

describe("pack-handler init", () => {
  test("writes a pack under the folder's name", async () => {
    const folder = join(newFolder(), "My Pack");
    const { code, out, errors } = await init([folder, "--runtime", "bun"]);
    expect([code, errors]).toEqual([0, ""]);
    expect(filesOf(folder)).toEqual([
      ".gitignore",
      "guardrails/short-run.ts",
      "index.json",
      "kindgi.config.json",
      "package.json",
      "test/pack.test.ts",
      "tools/greet.ts",
    ]);
    expect(JSON.parse(read(folder, "package.json"))).toMatchObject({
      name: "my-pack",
      type: "module",
      scripts: { test: "bun test", dev: "bun run --bun pack-handler dev" },
      dependencies: { "pack-handler": expect.stringMatching(/^\^\d/) },
    });
    expect(JSON.parse(read(folder, "kindgi.config.json")).pack.id).toBe("my-pack");
    const index = JSON.parse(read(folder, "index.json"));
    expect(index).toMatchObject({ packId: "my-pack", tools: [{ modulePath: "tools/greet.ts" }] });
    expect(read(folder, "index.json")).toBe(indexText(index));
    expect(read(folder, "test/pack.test.ts")).not.toMatch(/\.js\b/);
    expect(out).toMatch(
      /Next:\n {2}cd ".*My Pack"\n {2}bun install\n {2}bun run test\n {2}bun run dev\n$/,
    );
  });

  test("overwrites nothing, and names what is there", async () => {
    const folder = newFolder();
    addFiles(folder, { "package.json": "{}", "index.json": "[]", "more.txt": "" });
    const { code, out, errors } = await init([folder]);
    expect([code, out]).toEqual([1, ""]);
    expect(errors).toBe(
      `${folder} holds already, and nothing was written:\n  index.json\n  package.json\n`,
    );
    expect(filesOf(folder)).toEqual(["index.json", "more.txt", "package.json"]);
    expect(read(folder, "package.json")).toBe("{}");
  });

  test.each(["file", "file/folder"])("says what keeps it from writing to %s", async (name) => {
    const parent = newFolder();
    addFiles(parent, { file: "" });
    const { code, out, errors } = await init([join(parent, name)]);
    expect([code, out]).toEqual([1, ""]);
    expect(errors).toMatch(/^Cannot write .*file.*: (EEXIST|ENOTDIR): .*\n$/);
  });

  test.each([
    ["a folder that is given", (folder: string) => [folder], ["x"], 0],
    ["a person", () => [], ["my-own"], 1],
    ["a person who presses Enter", () => [], [""], 1],
    ["--yes", () => ["--yes"], ["x"], 0],
    ["nobody at a terminal", () => [], [], 0],
  ] as const)("asks for no more than the folder: %s", async (_what, argsOf, [answer], count) => {
    const parent = newFolder();
    const before = process.cwd();
    process.chdir(parent);
    onTestFinished(() => process.chdir(before));
    const { code, questions } = await init(
      [...argsOf("given")],
      answer === undefined ? {} : { answer },
    );
    expect([code, questions.length]).toEqual([0, count]);
    const name = argsOf("given").includes("given")
      ? "given"
      : count === 1 && answer
        ? answer
        : "my-pack";
    expect(readdirSync(parent)).toEqual([name]);
  });

  test.each([
    [["a", "b"], "init takes one folder"],
    [["--runtime", "perl"], '--runtime must be one of node, bun, deno, not "perl"'],
    [["--id", "a b"], "--id must be a text without spaces"],
  ])("refuses %j", async (args, message) => {
    const { code, errors } = await init(args);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  test("finds the runtime in use", () => {
    expect(detectRuntime({})).toBe("node");
    expect(detectRuntime({ npm_config_user_agent: "npm/10.8.2 node/v20.20.2 linux x64" })).toBe(
      "node",
    );
    expect(detectRuntime({ npm_config_user_agent: "bun/1.4.5 npm/? node/v24" })).toBe("bun");
    expect(detectRuntime({ npm_config_user_agent: "deno/2.9.6 npm/?" })).toBe("deno");
  });
});

describe("the template", () => {
  test("has the index that its source gives", async () => {
    const previous = JSON.parse(read(root, "templates/pack/index.json"));
    const built = await buildIndex({ root: join(root, "templates/pack"), previous });
    expect(built).toEqual({ index: previous });
  });
});

describe("a pack made with the package as it is published", () => {
  let published: string;

  beforeAll(() => {
    published = mkdtempSync(join(tmpdir(), "pack-handler-published-"));
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    execFileSync(npm, ["pack", "--silent", "--ignore-scripts", "--pack-destination", published], {
      cwd: root,
    });
    const [tarball = ""] = readdirSync(published);
    execFileSync("tar", ["-xzf", tarball], { cwd: published });
  });
  afterAll(() => rmSync(published, { recursive: true }));

  /** Installs the package and, as links, what it depends on. */
  function install(folder: string): void {
    const modules = join(folder, "node_modules");
    cpSync(join(published, "package"), join(modules, "pack-handler"), { recursive: true });
    const { dependencies, bin } = JSON.parse(read(root, "package.json"));
    for (const name of Object.keys(dependencies))
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    mkdirSync(join(modules, ".bin"));
    symlinkSync(join("../pack-handler", bin["pack-handler"]), join(modules, ".bin/pack-handler"));
  }

  /** Runs a script of package.json as a package manager does: its folder's commands first, then this runtime's. */
  function runScript(folder: string, script: string, runtime: RuntimeName): string {
    const { scripts } = JSON.parse(read(folder, "package.json"));
    const path = [
      join(folder, "node_modules/.bin"),
      dirname(requireRuntime(runtime)),
      process.env.PATH,
    ];
    const env = { PATH: path.join(":"), HOME: process.env.HOME, NO_COLOR: "1" };
    return execFileSync("sh", ["-c", scripts[script]], {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
  }

  const arguments_ = (runtime: RuntimeName) => (runtime === "deno" ? ["run", "-A"] : []);

  test.each<[RuntimeName, string]>([
    ["node20", "js"],
    ["node22", "ts"],
    ["node26", "ts"],
    ["bun", "ts"],
    ["deno", "ts"],
  ])("on %s passes its own test and check", (runtime, extension) => {
    const folder = join(newFolder(), "my-pack");
    const cli = join(published, "package/dist/cli.js");
    // What init needs of the package's own dependencies is found beside it.
    if (!existsSync(join(published, "node_modules")))
      symlinkSync(join(root, "node_modules"), join(published, "node_modules"));
    execFileSync(requireRuntime(runtime), [...arguments_(runtime), cli, "init", folder], {
      stdio: "pipe",
    });
    expect(filesOf(folder)).toContain(`tools/greet.${extension}`);
    install(folder);
    runScript(folder, "test", runtime);
    expect(JSON.parse(runScript(folder, "check", runtime))).toMatchObject({
      ok: true,
      differences: [],
    });
    addFiles(folder, { "kindgi.config.json": '{ "pack": { "id": "other", "version": "1" } }' });
    expect(() => runScript(folder, "check", runtime)).toThrow();
    runScript(folder, "index", runtime);
    expect(JSON.parse(read(folder, "index.json")).packId).toBe("other");
    expect(() => runScript(folder, "test", runtime)).not.toThrow();
    addFiles(folder, { [`tools/greet.${extension}`]: "export default {};" });
    expect(() => runScript(folder, "test", runtime)).toThrow();
  });
});
