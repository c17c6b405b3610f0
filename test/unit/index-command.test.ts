import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../adapters/commands/run-command.ts";
import { addFiles, checkModule, layPackFolder, toolModule } from "./pack-folder.ts";

async function index(args: string[], isTerminal = false) {
  let out = "";
  let errors = "";
  const code = await runCommand(["index", ...args], {
    entry: import.meta.url,
    environment: { NO_COLOR: "1" },
    stdout: { isTerminal, write: (text) => (out += text) },
    stderr: { isTerminal, write: (text) => (errors += text) },
    readStdin: async () => "",
  });
  return { code, out, errors };
}

const layPack = () =>
  layPackFolder({ "tools/greet.mjs": toolModule("greet"), "guardrails/a.mjs": checkModule("a") });

describe("pack-handler index", () => {
  test("writes an index that is sorted at every level", async () => {
    const input = `input: { type: "object", properties: { b: {}, "10": {}, "9": {}, a: {}, ["__proto__"]: {} }, required: ["b", "a"] }`;
    const root = layPackFolder({ "tools/greet.mjs": toolModule("greet", input) });
    const stamp = ["--artifact-version", "1", "--published-at=2026-12-01T00:00:00Z"];
    expect(await index([root, ...stamp])).toMatchObject({ code: 0, errors: "" });
    expect(readFileSync(join(root, "index.json"), "utf8")).toBe(`{
  "agents": [],
  "artifactVersion": "1",
  "env": {
    "optional": [],
    "required": []
  },
  "flows": [],
  "guardrails": [],
  "packId": "hello",
  "packVersion": "1.0.0",
  "publishedAt": "2026-12-01T00:00:00Z",
  "tools": [
    {
      "id": "greet",
      "input": {
        "properties": {
          "10": {},
          "9": {},
          "__proto__": {},
          "a": {},
          "b": {}
        },
        "required": [
          "b",
          "a"
        ],
        "type": "object"
      },
      "modulePath": "tools/greet.mjs",
      "output": {}
    }
  ],
  "v": 1
}
`);
  });

  test("leaves an index alone that says the same, and counts up from one that doesn't", async () => {
    const root = layPack();
    const first = JSON.parse((await index([root])).out);
    expect(first).toMatchObject({
      ok: true,
      index: join(root, "index.json"),
      artifactVersion: expect.stringMatching(/^\d{8}\.1$/),
      isWritten: true,
    });
    const { mtimeMs, ino } = lstatSync(join(root, "index.json"));
    const again = await index([root], true);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toMatch(/index\.json is up to date {2}1 tool, 1 check, artifact \d{8}\.1\n$/);
    expect(lstatSync(join(root, "index.json"))).toMatchObject({ mtimeMs, ino });
    addFiles(root, { "tools/more.mjs": toolModule("more") });
    const second = JSON.parse((await index([root])).out);
    expect(second).toMatchObject({ artifactVersion: expect.stringMatching(/^\d{8}\.2$/) });
  });

  test("replaces the file in one step, through a link, and leaves nothing else behind", async () => {
    const root = layPack();
    mkdirSync(join(root, "out"));
    writeFileSync(join(root, "out/real.json"), "{ broken");
    symlinkSync("out/real.json", join(root, "index.json"));
    expect((await index([root])).code).toBe(0);
    expect(lstatSync(join(root, "index.json")).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(join(root, "out/real.json"), "utf8")).packId).toBe("hello");
    expect(readdirSync(join(root, "out"))).toEqual(["real.json"]);
  });

  test("makes the folders that are missing", async () => {
    const root = layPack();
    expect((await index([root, "--out", join(root, "a/b/index.json")])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(root, "a/b/index.json"), "utf8")).packId).toBe("hello");
  });

  test.each([[[]], [["--check"]]])("names an index that can't be read, with %j", async (flags) => {
    const root = layPack();
    mkdirSync(join(root, "index.json"));
    const { code, out } = await index([root, ...flags]);
    const message = expect.stringMatching(/^Cannot read .*index\.json: EISDIR.*--out/);
    expect([code, JSON.parse(out)]).toMatchObject([1, { ok: false, problems: [{ message }] }]);
  });

  test("names the place that can't be written", async () => {
    const root = layPack();
    symlinkSync("nowhere/at/all", join(root, "none"));
    const { code, out } = await index([root, "--out", join(root, "none/index.json")]);
    expect([code, JSON.parse(out)]).toMatchObject([
      1,
      {
        ok: false,
        problems: [{ message: expect.stringMatching(/Cannot write .*none\/index\.json: E/) }],
      },
    ]);
    expect(readdirSync(root).toSorted()).toEqual([
      "guardrails",
      "kindgi.config.json",
      "none",
      "tools",
    ]);
  });

  test("prints every problem, and writes nothing then", async () => {
    const root = layPackFolder({ "tools/a.mjs": "export default 1;", "flows/b.mjs": "" });
    const { code, out } = await index([root]);
    expect([code, JSON.parse(out)]).toMatchObject([
      1,
      { ok: false, problems: [{ file: "flows/b.mjs" }, { file: "tools/a.mjs" }] },
    ]);
    const shown = await index([root], true);
    expect(shown.out).toMatch(
      /^flows\/b\.mjs {2}has no default export.*\ntools\/a\.mjs {2}its default.*\n2 problems\n$/,
    );
    expect(readdirSync(root)).not.toContain("index.json");
  });

  test.each([
    [["a", "b"], "index takes one folder"],
    [["--published-at", "yesterday"], "--published-at must be a time such as"],
    [["--published-at", "2026-13-01T00:00:00Z"], "--published-at must be a time such as"],
    [["--no-such"], "Unknown option '--no-such'"],
  ])("refuses %j", async (args, message) => {
    const { code, out, errors } = await index(args);
    expect([code, out]).toEqual([2, ""]);
    expect(errors).toContain(message);
    expect(errors).toContain("pack-handler index --help tells how.");
  });

  test("has a help that names every flag", async () => {
    const { code, out } = await index(["--help"]);
    expect(code).toBe(0);
    for (const flag of ["out", "check", "artifact-version", "published-at", "bundle-map", "help"]) {
      expect(out).toContain(`--${flag}`);
    }
  });
});

describe("pack-handler index --check", () => {
  async function checkAfter(change: (root: string) => void) {
    const root = layPack();
    await index([root]);
    change(root);
    const before = readFileSync(join(root, "index.json"), "utf8");
    const { code, out } = await index([root, "--check"]);
    expect(readFileSync(join(root, "index.json"), "utf8")).toBe(before);
    return { code, differences: JSON.parse(out).differences };
  }

  const edit = (root: string, change: (index: any) => unknown) => {
    const path = join(root, "index.json");
    const json = JSON.parse(readFileSync(path, "utf8"));
    change(json);
    writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`);
  };

  test("passes an index that is what the source gives, whatever its stamp", async () => {
    const stamp = (root: string) =>
      edit(root, (index) => Object.assign(index, { artifactVersion: "x", publishedAt: "y" }));
    expect(await checkAfter(() => {})).toEqual({ code: 0, differences: [] });
    expect(await checkAfter(stamp)).toEqual({ code: 0, differences: [] });
  });

  test.each<[string, (root: string) => void, string[]]>([
    [
      "a new module",
      (root) => addFiles(root, { "tools/b.mjs": toolModule("b", "version: '2'") }),
      ["tools: b 2 is missing"],
    ],
    [
      "another tool",
      (root) => edit(root, ({ tools }) => tools.push({ id: "old" })),
      ["tools: old is no longer there"],
    ],
    [
      "another member",
      (root) =>
        edit(root, ({ tools }) =>
          Object.assign(tools[0], { version: undefined, input: 1, more: 1 }),
        ),
      ["tools: greet differs in input, more"],
    ],
    [
      "another configuration",
      (root) =>
        addFiles(root, {
          "kindgi.config.json": '{ "pack": { "id": "hello", "version": "2" }, "env": ["A"] }',
        }),
      ["env differs", 'packVersion is "1.0.0", not "2"'],
    ],
    [
      "another order",
      (root) => {
        addFiles(root, { "tools/a.mjs": toolModule("a") });
        edit(root, ({ tools }) =>
          tools.push({ id: "a", input: {}, modulePath: "tools/a.mjs", output: {} }),
        );
      },
      ["tools: the order differs"],
    ],
    [
      "another layout",
      (root) =>
        writeFileSync(
          join(root, "index.json"),
          JSON.stringify(JSON.parse(readFileSync(join(root, "index.json"), "utf8"))),
        ),
      ["its layout differs: the order of members, or spaces"],
    ],
    ["no JSON", (root) => writeFileSync(join(root, "index.json"), "{"), ["it is no JSON object"]],
  ])("tells of %s", async (_what, change, differences) => {
    expect(await checkAfter(change)).toEqual({ code: 1, differences });
  });

  test("tells of an index that isn't there", async () => {
    const root = layPack();
    const { code, out } = await index([root, "--check"], true);
    expect(code).toBe(1);
    expect(out).toMatch(
      /index\.json is out of date; pack-handler index writes it anew\n {2}there is no such file\n$/,
    );
  });
});
