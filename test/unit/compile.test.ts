import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "../../adapters/commands/run-command.ts";
import { guardrail, indexOf, layPack, tool } from "../contract/packs.ts";
import type { PackSource } from "../contract/target.ts";

const folder = mkdtempSync(join(tmpdir(), "compile-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(args: readonly string[]): Promise<Ran> {
  const ran: Ran = { code: -1, stdout: "", stderr: "" };
  const outputOf = (name: "stdout" | "stderr") => ({
    isTerminal: false,
    write: (text: string) => {
      ran[name] += text;
    },
  });
  ran.code = await runCommand(["compile", ...args], {
    entry: import.meta.url,
    environment: {},
    stdout: outputOf("stdout"),
    stderr: outputOf("stderr"),
    readStdin: async () => "",
  });
  return ran;
}

let runs = 0;

async function compile(source: PackSource, ...flags: string[]): Promise<Ran & { out: string }> {
  const pack = layPack(source);
  runs += 1;
  const out = join(folder, `worker-${runs}`, "worker.mjs");
  try {
    return { ...(await run(["--index", pack.index, "--out", out, ...flags])), out };
  } finally {
    pack.remove();
  }
}

const GOOD = "export default () => 1;";

describe("pack-handler compile", () => {
  test("tells every problem at once, each with its place, and writes nothing", async () => {
    const index = indexOf({
      tools: [
        tool("missing", "missing.mjs"),
        tool("type", "good.mjs", { input: { type: "dict" } }),
        tool("ref", "good.mjs", { output: { $ref: "https://example.test/schema" } }),
        tool("syntax", "lib/syntax.mjs"),
        tool("import", "import.mjs"),
      ],
      guardrails: [guardrail("pattern", "good.mjs", { configSchema: { pattern: "(" } })],
    });
    const files = {
      "good.mjs": GOOD,
      "lib/syntax.mjs": "export default\n  (",
      "import.mjs": 'import "no-such-package";',
    };
    const { code, stdout, out } = await compile({ index, files });
    expect(code).toBe(1);
    expect(existsSync(out)).toBe(false);
    const { ok, problems } = JSON.parse(stdout) as { ok: boolean; problems: string[] };
    expect(ok).toBe(false);
    expect(problems).toEqual([
      "Missing module: missing.mjs",
      expect.stringMatching(/^tool "type" input: .*"dict"/),
      expect.stringMatching(/^tool "ref" output: .*example\.test/),
      expect.stringMatching(/^check "pattern" config: .*regular expression/),
      expect.stringMatching(/^import\.mjs:1:8: Could not resolve "no-such-package"/),
      expect.stringMatching(/^lib\/syntax\.mjs:2:\d+: /),
    ]);
  });

  test("tells every problem of an index", async () => {
    const { code, stdout } = await compile({ index: { v: 2, tools: [] } });
    expect(code).toBe(1);
    const { problems } = JSON.parse(stdout) as { problems: string[] };
    expect(problems.length).toBeGreaterThan(3);
    expect(problems.join("\n")).toMatch(/packId is missing/);
  });

  test("writes a module that imports what is external and the runtime's own modules alone", async () => {
    const text = 'import "left-out"; import { join } from "path"; export default () => join("a");';
    const pack = {
      index: indexOf({ tools: [tool("one", "one.mjs")] }),
      files: { "one.mjs": text },
    };
    const { code, stdout, out } = await compile(pack, "--external", "left-out", "--minify");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, file: out, warnings: [] }]);
    const module = readFileSync(out, "utf8");
    expect(JSON.parse(stdout).sizeBytes).toBe(Buffer.byteLength(module));
    const imported = [...module.matchAll(/\b(?:import|from)\s*"([^"]+)"/g)].map(([, name]) => name);
    expect(imported.toSorted()).toEqual(["left-out", "node:path"]);
  });

  test("warns of a require that no ES module has, and of what the schemas' author should know", async () => {
    const schema = { "x-unit": "m", pattern: "^(a)\\1*$" };
    const { code, stdout } = await compile({
      index: indexOf({ tools: [tool("one", "one.cjs", { input: schema })] }),
      files: { "one.cjs": 'exports.run = () => require("fs");' },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings).toEqual([
      expect.stringMatching(/^tool "one" input: pattern .* may backtrack/),
      expect.stringMatching(/keyword x-unit/),
      expect.stringMatching(/^one\.cjs:1:\d+: .*require\("fs"\)/),
    ]);
  });

  test("tells when it can't write", async () => {
    const pack = layPack({
      index: indexOf({ tools: [tool("one", "one.mjs")] }),
      files: { "one.mjs": GOOD },
    });
    const { code, stdout } = await run(["--index", pack.index, "--out", folder]);
    pack.remove();
    expect(code).toBe(1);
    expect(stdout).toContain(`Cannot write ${folder}`);
  });

  test.each([[[]], [["--index", "index.json"]], [["--out", "worker.mjs"]], [["--what"]]])(
    "can't follow %j",
    async (args) => expect((await run(args)).code).toBe(2),
  );

  test("--help names every flag and exit code", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const flag of ["index", "out", "module-root", "bundle-map", "external", "minify"]) {
      expect(stdout).toContain(`--${flag}`);
    }
    expect(stdout).toMatch(/0 {2}.*\n {2}1 {2}.*\n {2}2 {2}/);
  });
});
