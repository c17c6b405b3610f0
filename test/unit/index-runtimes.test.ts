import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUNTIME_NAMES } from "../runtimes/runtimes.ts";
import { runBuiltCli, useBuiltCli } from "./built-cli.ts";
import { addFiles, checkModule, layPackFolder, toolModule } from "./pack-folder.ts";

const cli = useBuiltCli();
const STAMP = ["--artifact-version", "1", "--published-at", "2026-12-01T00:00:00Z"];
const ENDED = /^Line [12], column \d+ ended the process with exit code [03];/;
const WHILE = /^Something ended the process with exit code 0 while this was imported;/;
const TOKEN = { KINDGI_PACK_SERVICE_TOKEN: "a-test-token" };

/** Names and numbers that runtimes could order or print in their own way. */
const FILES = {
  "tools/b.mjs": toolModule(
    "B",
    `input: { properties: { "10": {}, "9": {}, ä: {}, Z: {}, a: {}, "\u{1f600}": {} } }`,
  ),
  "tools/a.mjs": toolModule(
    "a",
    `version: "10", limits: { a: 1e21, b: 0.1, c: -0, d: 1e-7, e: "\\u2028\\ud800/" }`,
  ),
  "tools/ä.mjs": toolModule("ä", `env: ["B", "a"]`),
  "guardrails/a.mjs": checkModule("a"),
  "flows/a.mjs": `export default { id: "a", at: new Date(0) };`,
};

describe.each(RUNTIME_NAMES)("on %s", (runtime) => {
  test("index writes the same bytes", async () => {
    const root = layPackFolder(FILES);
    expect(await runBuiltCli(runtime, cli, ["index", root, ...STAMP])).toMatchObject({
      code: 0,
      errors: "",
    });
    const text = readFileSync(join(root, "index.json"), "utf8");
    const reference = layPackFolder(FILES);
    await runBuiltCli("node20", cli, ["index", reference, ...STAMP]);
    expect(text).toBe(readFileSync(join(reference, "index.json"), "utf8"));
    expect(text.length).toBeGreaterThan(1_000);
    const checked = await runBuiltCli(runtime, cli, ["index", root, "--check"]);
    expect(checked).toMatchObject({ code: 0, errors: "" });
  });

  test("index ends, whatever a module leaves running, and shows no module the token", async () => {
    const root = layPackFolder({
      "tools/a.mjs": `setInterval(() => {}, 1000); ${toolModule("a", "description: String(process.env.KINDGI_PACK_SERVICE_TOKEN)")}`,
    });
    expect(await runBuiltCli(runtime, cli, ["index", root], TOKEN)).toMatchObject({ code: 0 });
    const { tools } = JSON.parse(readFileSync(join(root, "index.json"), "utf8"));
    expect(tools[0].description).toBe("undefined");
  });

  const exits = [0, 3].flatMap((code) => [
    `process.exit(${code});`,
    `import { exit } from "node:process";\n  const leave = () => { exit(${code}); }; leave();`,
    ...(runtime === "deno" ? [`const { exit } = Deno; exit(${code});`] : []),
  ]);
  test.each(exits)("index names the module that ends the process: %s", async (text) => {
    const files = { "lib/a.mjs": text, "tools/a.mjs": `import "../lib/a.mjs";`, "tools/b.mjs": "" };
    const root = layPackFolder(files);
    const { code, out, errors } = await runBuiltCli(runtime, cli, ["index", root]);
    expect([code, errors, JSON.parse(out)]).toEqual([
      1,
      "",
      { ok: false, problems: [{ file: "lib/a.mjs", message: expect.stringMatching(ENDED) }] },
    ]);
  });

  test("index names what it was importing when nothing tells who ended the process", async () => {
    const root = layPackFolder({
      // Ends the process once the other module is in, and some turns for whoever imports it to learn that.
      "tools/a.mjs": `import { exit } from "node:process";
        let turnsLeft = 50;
        setInterval(() => { if (globalThis.isLoaded && turnsLeft-- === 0) setTimeout(exit, 0, 0); }, 1);
        await new Promise(() => {});`,
      "tools/b.mjs": `globalThis.isLoaded = true; ${toolModule("b")}`,
    });
    const { code, out, errors } = await runBuiltCli(runtime, cli, ["index", root]);
    expect([code, errors, JSON.parse(out)]).toEqual([
      1,
      "",
      { ok: false, problems: [{ file: "tools/a.mjs", message: expect.stringMatching(WHILE) }] },
    ]);
  });

  test("index shows where a module's syntax is wrong, also in what it imports", async () => {
    const broken = ["const a = 1;", "\texport default { a: };", ""].join("\n");
    const leaveTrace = `import { writeFileSync } from "node:fs";
      writeFileSync(new URL("../ran.txt", import.meta.url), "");`;
    const root = layPackFolder({
      "package.json": '{ "type": "module" }',
      "tools/a.mjs": broken,
      "tools/b.mjs": `import "../lib/whole.mjs"; import "../lib/broken.mjs"; ${toolModule("b")}`,
      "tools/c.mjs": `import { none } from "../lib/whole.mjs"; ${toolModule("c")}`,
      "tools/d.mjs": `import "../lib/broken.mjs"; ${toolModule("d")}`,
      "lib/whole.mjs": `${leaveTrace} export {};`,
      "lib/broken.mjs": `await 1;\nfunction ( {}`,
      ...(runtime === "node20" ? {} : { "tools/e.ts": `let a: number;\nlet b: = 1;` }),
    });
    const { code, out } = await runBuiltCli(runtime, cli, ["index", root]);
    const { problems } = JSON.parse(out.trim().split("\n").at(-1) ?? "");
    const message = (file: string) =>
      problems.find((problem: { file: string }) => problem.file === file)?.message;
    expect(code).toBe(1);
    expect(message("tools/a.mjs")).toMatch(
      /^Cannot import it: \S.* at \/\S+\/tools\/a\.mjs:2:\d\d: export default { a: };$/,
    );
    for (const file of ["tools/b.mjs", "tools/d.mjs"]) {
      expect(message(file)).toMatch(/ at \/\S+\/lib\/broken\.mjs:2:\d+: function \( {}$/);
    }
    expect(existsSync(join(root, "ran.txt"))).toBe(false);
    // Bun names both modules, but no line.
    expect(message("tools/c.mjs")).toMatch(
      runtime === "bun" ? /lib\/whole\.mjs/ : /tools\/c\.mjs:1:10: import { none }/,
    );
    if (runtime !== "node20") {
      expect(message("tools/e.ts")).toMatch(/ at \/\S+\/tools\/e\.ts:2:8: let b: = 1;$/);
    }
  });

  test("index runs TypeScript or says what does", async () => {
    const root = layPackFolder({ "package.json": '{ "type": "module" }' });
    addFiles(root, { "tools/a.ts": `const id: string = "a"; ${toolModule("a", "id")}` });
    const { code, out } = await runBuiltCli(runtime, cli, ["index", root]);
    if (runtime === "node20")
      expect([code, out]).toEqual([1, expect.stringContaining("use Node 22.18 or later")]);
    else expect([code, JSON.parse(out)]).toMatchObject([0, { ok: true }]);
  });
});
