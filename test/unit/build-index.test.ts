import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildIndex } from "../../adapters/indexing/build-index.ts";
import type { BuildIndexOptions } from "../../adapters/indexing/build-index.ts";
import { addFiles, checkModule, CONFIG, layPackFolder, toolModule } from "./pack-folder.ts";

const now = () => new Date("2026-12-01T10:20:30.456Z");

async function build(root: string, options: Partial<BuildIndexOptions> = {}): Promise<any> {
  const built = await buildIndex({ root, now, ...options });
  if ("problems" in built) throw new Error(JSON.stringify(built.problems, null, 2));
  return built.index;
}

async function problemsOf(root: string, options: Partial<BuildIndexOptions> = {}) {
  const built = await buildIndex({ root, now, ...options });
  return "problems" in built
    ? built.problems.map(({ file, message }) => `${file}: ${message}`)
    : [];
}

const idsOf = (list: { id: string; version?: string }[]) =>
  list.map(({ id, version }) => (version === undefined ? id : `${id} ${version}`));

describe("an index", () => {
  test("holds what the definitions say", async () => {
    const members = `version: "2.0.0", description: "Greets", effects: ["none"], needs: { a: 1 }, needsSpec: {}, sandbox: "strict",
      limits: { timeoutMs: 5 }, network: false, mutating: true, spec: null, unknown: 1, env: ["API_URL"]`;
    const root = layPackFolder(
      {
        "tools/deep/er/greet.mjs": toolModule("greet", members),
        "guardrails/limit.mjs": checkModule(
          "limit",
          `checkId: "limit-check", name: "Limit", severity: "high", configSchema: { type: "object" }, config: { at: 1 },
         action: "warn", env: { optional: ["LIMIT"] }`,
        ),
        "guardrails/plain.mjs": checkModule("plain"),
        "agents/clerk.mjs": `export default { id: "clerk", tools: ["greet"], prompt: undefined };`,
        "flows/nightly.mjs": `export default { id: "nightly", at: new Date(0) };`,
      },
      { ...CONFIG, env: { required: ["REGION"], optional: ["API_URL"] } },
    );
    expect(await build(root)).toEqual({
      v: 1,
      packId: "hello",
      packVersion: "1.0.0",
      artifactVersion: "20261201.1",
      publishedAt: "2026-12-01T10:20:30.456Z",
      env: { required: ["API_URL", "REGION"], optional: ["LIMIT"] },
      tools: [
        {
          id: "greet",
          version: "2.0.0",
          description: "Greets",
          input: {},
          output: {},
          modulePath: "tools/deep/er/greet.mjs",
          effects: ["none"],
          needs: { a: 1 },
          needsSpec: {},
          sandbox: "strict",
          limits: { timeoutMs: 5 },
          network: false,
          mutating: true,
          spec: null,
        },
      ],
      guardrails: [
        {
          id: "limit",
          checkId: "limit-check",
          kind: "check",
          action: "warn",
          name: "Limit",
          severity: "high",
          configSchema: { type: "object" },
          config: { at: 1 },
          checkModulePath: "guardrails/limit.mjs",
        },
        { id: "plain", kind: "check", action: "block", checkModulePath: "guardrails/plain.mjs" },
      ],
      agents: [{ id: "clerk", tools: ["greet"] }],
      flows: [{ id: "nightly", at: "1970-01-01T00:00:00.000Z" }],
    });
  });

  test("has its lists in the order of code units, whatever the files are called", async () => {
    const ids = ["b", "a", "B", "ä", "a-b", "aB", "\u{1f600}", "\uffee"];
    const modules = ids.map((id, i) => [`tools/${i}.mjs`, toolModule(id)]);
    const versions = ["10.0.0", "9.0.0"].map((version, i) => [
      `tools/v${i}.mjs`,
      toolModule("versioned", `version: "${version}"`),
    ]);
    const root = layPackFolder(Object.fromEntries([...modules, ...versions]));
    const { tools } = await build(root);
    expect(idsOf(tools)).toEqual([
      "B",
      "a",
      "a-b",
      "aB",
      "b",
      "versioned 10.0.0",
      "versioned 9.0.0",
      "ä",
      "\u{1f600}",
      "\uffee",
    ]);
  });

  test("takes Result wrappers, and the default of a default", async () => {
    const definition = `{ id: "a", input: {}, output: {}, handler() {} }`;
    const root = layPackFolder({
      "tools/a.mjs": `export default { kind: "ok", value: ${definition} };`,
      "tools/b.mjs": `export default { __esModule: true, default: ${definition.replace('"a"', '"b"')} };`,
      "tools/c.mjs": `export const handler = () => 1; export default { id: "c", input: true, output: {} };`,
    });
    expect(idsOf((await build(root)).tools)).toEqual(["a", "b", "c"]);
  });
});

describe("discovery", () => {
  test("leaves out tests, declarations, other files and what begins with _ or a dot", async () => {
    const left = [
      "tools/a.test.mjs",
      "tools/a.spec.js",
      "tools/a.d.ts",
      "tools/a.test-d.ts",
      "tools/a.cjs",
      "tools/a.json",
      "tools/_a.mjs",
      "tools/.a.mjs",
      "tools/_lib/a.mjs",
      "tools/.lib/a.mjs",
      "tools/node_modules/a/a.mjs",
      "lib/a.mjs",
      "tools.mjs",
    ];
    const root = layPackFolder({
      ...Object.fromEntries(left.map((path) => [path, "throw new Error('loaded');"])),
      "tools/b_.mjs": toolModule("b"),
      "tools/c.d/latest.js": toolModule("c"),
      "package.json": '{ "type": "module" }',
    });
    expect(idsOf((await build(root)).tools)).toEqual(["b", "c"]);
  });

  test("follows a link to a file, and no link to a folder", async () => {
    const root = layPackFolder({ "lib/a.mjs": toolModule("a") });
    mkdirSync(join(root, "tools"));
    symlinkSync("../lib/a.mjs", join(root, "tools/a.mjs"));
    symlinkSync("..", join(root, "tools/up"));
    expect((await build(root)).tools).toMatchObject([{ id: "a", modulePath: "tools/a.mjs" }]);
  });

  test("looks where the configuration says", async () => {
    const discovery = {
      tools: ["src/*/tools/**", "extra", "one.mjs"],
      guardrails: "checks/*.mjs",
      exclude: ["**/old/**"],
    };
    const root = layPackFolder(
      {
        "src/x/tools/a.mjs": toolModule("a"),
        "src/x/tools/old/b.mjs": toolModule("b"),
        "src/x/_y/tools/b.mjs": toolModule("b"),
        "extra/deep/c.mjs": toolModule("c"),
        "one.mjs": toolModule("d"),
        "tools/e.mjs": toolModule("e"),
        "checks/a.mjs": checkModule("a"),
        "checks/deep/b.mjs": checkModule("b"),
      },
      { ...CONFIG, discovery },
    );
    const { tools, guardrails } = await build(root);
    expect([idsOf(tools), idsOf(guardrails)]).toEqual([["a", "c", "d"], ["a"]]);
  });
});

describe("kindgi.config", () => {
  const { pack } = CONFIG;
  test.each([
    ["mjs", `export default ${JSON.stringify({ pack })};`],
    ["js", `export default ${JSON.stringify({ pack })};`],
    ["cjs", `module.exports = ${JSON.stringify({ pack })};`],
    ["json", `\uFEFF${JSON.stringify({ pack, more: 1 })}`],
  ])("is read as .%s", async (extension, text) => {
    const root = layPackFolder({ "package.json": '{ "type": "module" }' });
    rmSync(join(root, "kindgi.config.json"));
    addFiles(root, { [`kindgi.config.${extension}`]: text });
    expect(await build(root)).toMatchObject({ packId: "hello", packVersion: "1.0.0", tools: [] });
  });

  test.each<[string, Record<string, string>, string[]]>([
    [
      "missing",
      {},
      [
        expect.stringMatching(
          /^kindgi\.config\.json: There is no kindgi\.config\.\* in \/.+: write one of kindgi\.config\.ts, .+ that holds /,
        ),
      ],
    ],
    [
      "twice there",
      { "kindgi.config.mjs": "", "kindgi.config.json": "{}" },
      [
        "kindgi.config.mjs: There is more than one configuration: kindgi.config.mjs, kindgi.config.json",
      ],
    ],
    [
      "unreadable",
      { "kindgi.config.json": "{" },
      [expect.stringMatching(/^kindgi\.config\.json: Cannot read the configuration .+: /)],
    ],
    [
      "throwing",
      { "kindgi.config.mjs": "throw new Error('no');" },
      ["kindgi.config.mjs: Cannot read the configuration: no"],
    ],
    [
      "without an export",
      { "kindgi.config.mjs": "" },
      [
        `kindgi.config.mjs: The configuration must hold { pack: { id: "…", version: "…" } } as its default export`,
      ],
    ],
    [
      "wrong in everything",
      {
        "kindgi.config.json": JSON.stringify({
          pack: { id: "" },
          env: { required: ["KINDGI_X", "a b", 1], optional: "A" },
          discovery: { tools: ["../x", "/x", "!x", ""], other: 1 },
        }),
      },
      [
        "kindgi.config.json: pack.id must be a non-empty string",
        "kindgi.config.json: pack.version is missing; it must be a non-empty string",
        `kindgi.config.json: env.required: "KINDGI_X" is reserved: names that begin with KINDGI_ are the service's own`,
        expect.stringContaining(`env.required: "a b" is no environment name`),
        expect.stringContaining(`env.required: 1 is no environment name`),
        "kindgi.config.json: env.optional must be a list of environment names",
        "kindgi.config.json: discovery has no other; it may have tools, guardrails, agents, flows, exclude",
        ...["../x", "/x", "!x", ""].map((pattern) =>
          expect.stringContaining(
            `discovery.tools must hold a path or pattern inside the pack's folder, with forward slashes, not ${JSON.stringify(pattern)}`,
          ),
        ),
      ],
    ],
  ])("that is %s is a problem", async (_what, files, problems) => {
    const root = layPackFolder(files);
    if (!("kindgi.config.json" in files)) rmSync(join(root, "kindgi.config.json"));
    expect(await problemsOf(root)).toEqual(problems);
  });

  test("that looks where nothing is, is a problem", async () => {
    const root = layPackFolder({}, { ...CONFIG, discovery: { tools: ["tolls/**"], flows: [] } });
    expect(await problemsOf(root)).toEqual([
      `kindgi.config.json: discovery.tools finds nothing at "tolls/**"`,
    ]);
  });
});

describe("every problem is named at once, with its file", () => {
  test.each<[string, Record<string, string>, unknown[]]>([
    [
      "wrong in several places",
      {
        "kindgi.config.json": '{ "pack": { "id": "a", "version": 1 } }',
        "tools/a.mjs": toolModule("a b", 'input: { type: "dict" }'),
        "tools/b.mjs": "throw new Error('no');",
      },
      [
        "kindgi.config.json: pack.version must be a non-empty string",
        expect.stringMatching(/^tools\/a\.mjs: id must have no spaces/),
        expect.stringMatching(/^tools\/a\.mjs: .*"dict"/),
        "tools/b.mjs: Cannot import it: no",
      ],
    ],
    [
      "no default export",
      { "tools/a.mjs": "export const handler = () => 1;", "flows/a.mjs": "" },
      [
        "flows/a.mjs: has no default export; it must be a flow's definition, an object with an id",
        "tools/a.mjs: has no default export; it must be a tool's definition, such as defineTool({ id, input, output, handler })",
      ],
    ],
    [
      "no definition",
      {
        "tools/a.mjs": "export default () => 1;",
        "agents/a.mjs": "export default [];",
        "guardrails/a.mjs": "export default null;",
      },
      [
        "agents/a.mjs: its default export is a list; it must be an agent's definition, an object with an id",
        expect.stringMatching(
          /^guardrails\/a\.mjs: its default export is null; it must be a check's definition/,
        ),
        expect.stringMatching(
          /^tools\/a\.mjs: its default export is a function; it must be a tool's definition/,
        ),
      ],
    ],
    [
      "wrong kind for its folder",
      {
        "tools/a.mjs": checkModule("a"),
        "guardrails/a.mjs": toolModule("a"),
        "agents/a.mjs": toolModule("a"),
        "flows/a.mjs": checkModule("a"),
      },
      [
        "agents/a.mjs: is a tool, which belongs into tools, not agents",
        "flows/a.mjs: is a check, which belongs into guardrails, not flows",
        "guardrails/a.mjs: is a tool, which belongs into tools, not guardrails",
        "tools/a.mjs: is a check, which belongs into guardrails, not tools",
      ],
    ],
    [
      "no code",
      {
        "tools/a.mjs": "export default { id: 'a' };",
        "guardrails/a.mjs": "export default { id: 'a' };",
      },
      [
        expect.stringMatching(/^guardrails\/a\.mjs: has no evaluate function/),
        expect.stringMatching(/^tools\/a\.mjs: has no handler function/),
      ],
    ],
    [
      "a failed result",
      { "tools/a.mjs": "export default { kind: 'err', error: { message: 'no schema' } };" },
      ["tools/a.mjs: its default export is a failed result: no schema"],
    ],
    [
      "a module that can't be imported",
      { "tools/a.mjs": "throw new Error('at load');", "tools/b.mjs": "import './none.mjs';" },
      [
        "tools/a.mjs: Cannot import it: at load",
        expect.stringMatching(/^tools\/b\.mjs: Cannot import it: .*none\.mjs/),
      ],
    ],
    [
      "an id that is missing, empty or illegal",
      {
        "tools/a.mjs": toolModule("a", "id: undefined"),
        "guardrails/a.mjs": checkModule(""),
        "flows/a.mjs": "export default { id: 'a b' };",
        "agents/a.mjs": "export default { id: 'a\\u0000' };",
      },
      [
        `agents/a.mjs: id must have no spaces and no control characters, unlike "a\\u0000"`,
        `flows/a.mjs: id must have no spaces and no control characters, unlike "a b"`,
        "guardrails/a.mjs: id must be a non-empty string",
        "tools/a.mjs: id is missing; it must be a non-empty string",
      ],
    ],
    [
      "members of the wrong kind",
      {
        "tools/a.mjs": toolModule(
          "a",
          "version: 1, description: 2, env: ['KINDGI_A', 'Kindgi_b'], limits: { f() {} }, spec: 1n, needs: [NaN]",
        ),
        "guardrails/a.mjs": checkModule("a", "checkId: '', env: 1, scope: Symbol()"),
      },
      [
        expect.stringMatching(/^guardrails\/a\.mjs: checkId must be a non-empty string/),
        "guardrails/a.mjs: scope: a symbol, which JSON can't hold",
        expect.stringMatching(/^guardrails\/a\.mjs: env must be \{ required/),
        "tools/a.mjs: version must be a non-empty string",
        "tools/a.mjs: description must be a text",
        "tools/a.mjs: limits: /f is a function, which JSON can't hold",
        "tools/a.mjs: needs: /0 is NaN, which JSON can't hold",
        expect.stringMatching(/^tools\/a\.mjs: spec: .*BigInt/),
        expect.stringMatching(/"KINDGI_A" is reserved/),
        expect.stringMatching(/"Kindgi_b" is reserved/),
      ],
    ],
    [
      "data that is no JSON",
      {
        "flows/a.mjs": "const a = { id: 'a' }; a.a = a; export default a;",
        "agents/a.mjs": "export default { id: 'a', steps: [{ run() {} }] };",
      },
      [
        "agents/a.mjs: /steps/0/run is a function, which JSON can't hold",
        expect.stringMatching(/^flows\/a\.mjs: .*circular/i),
      ],
    ],
    [
      "a schema that is missing or doesn't compile",
      {
        "tools/a.mjs": toolModule("a", "input: undefined, output: { type: 'dict' }"),
        "tools/b.mjs": toolModule(
          "b",
          "version: '1', input: { $ref: '#/$defs/none' }, output: { pattern: '(' }",
        ),
        "tools/c.mjs": toolModule("c", "input: { default() {} }, output: 1"),
        "guardrails/a.mjs": checkModule("a", "configSchema: { type: 'float' }"),
      },
      [
        `guardrails/a.mjs: check "a" config: /type: "float" is not a type of JSON Schema; use "number"`,
        "tools/a.mjs: input is missing; it must be a JSON Schema or a Standard Schema",
        `tools/b.mjs: tool "b" version "1" input: /$ref: $ref "#/$defs/none" leads to nothing in the schema`,
        expect.stringMatching(
          /^tools\/b\.mjs: tool "b" version "1" output: \/pattern: "\(" is not a regular expression/,
        ),
        "tools/c.mjs: input is no JSON Schema: /default is a function, which JSON can't hold",
      ],
    ],
    [
      "a config that its schema refuses",
      { "guardrails/a.mjs": checkModule("a", "configSchema: { required: ['at'] }, config: {}") },
      [
        `guardrails/a.mjs: check "a" has a config that its schema refuses: must have required property 'at'`,
      ],
    ],
    [
      "something twice",
      {
        "tools/a.mjs": toolModule("a"),
        "tools/b.mjs": toolModule("a"),
        "tools/c.mjs": toolModule("a", "version: '1'"),
        "tools/d.mjs": toolModule("a", "version: '1'"),
        "guardrails/a.mjs": checkModule("a"),
        "guardrails/b.mjs": checkModule("b", "checkId: 'a'"),
        "guardrails/c.mjs": checkModule("b", "checkId: 'c'"),
        "agents/a.mjs": "export default { id: 'a' };",
        "agents/b.mjs": "export default { id: 'a' };",
      },
      [
        `agents/b.mjs: agent "a" without a version is defined in agents/a.mjs, too`,
        `guardrails/b.mjs: check "a" is defined in guardrails/a.mjs, too`,
        `guardrails/c.mjs: guardrail "b" is defined in guardrails/b.mjs, too`,
        `tools/b.mjs: tool "a" without a version is defined in tools/a.mjs, too`,
        `tools/d.mjs: tool "a" version "1" is defined in tools/c.mjs, too`,
      ],
    ],
  ])("%s", async (_what, files, problems) => {
    expect(await problemsOf(layPackFolder(files))).toEqual(problems);
  });

  test("TypeScript where the runtime doesn't run it", async () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const runsIt = major > 22 || (major === 22 && minor >= 18);
    const root = layPackFolder({ "tools/a.ts": toolModule("a") });
    const ways =
      /^tools\/a\.ts: Cannot import it: Node v.+ does not run this TypeScript: use Node 22\.18 or later, Bun or Deno, or compile it/;
    expect(await problemsOf(root)).toEqual(runsIt ? [] : [expect.stringMatching(ways)]);
  });
});

describe("the stamp", () => {
  test.each([
    ["20261201.1", "20261201.2"],
    ["20261201.9", "20261201.10"],
    ["20261130.5", "20261201.1"],
    ["20261201.x", "20261201.1"],
    ["release-1", "20261201.1"],
  ])("after %s is %s", async (before, after) => {
    const previous = { artifactVersion: before, publishedAt: "2026-11-30T00:00:00.000Z" };
    const index = await build(layPackFolder({}), { previous });
    expect(index).toMatchObject({ artifactVersion: after, publishedAt: now().toISOString() });
  });

  test("stays when nothing has changed, unless another is asked for", async () => {
    const root = layPackFolder({ "tools/a.mjs": toolModule("a") });
    const previous = await build(root, {
      artifactVersion: "one",
      publishedAt: "2026-01-01T00:00:00Z",
    });
    expect(await build(root, { previous })).toEqual(previous);
    expect(await build(root, { previous, artifactVersion: "one" })).toEqual(previous);
    expect(await build(root, { previous, artifactVersion: "two" })).toEqual({
      ...previous,
      artifactVersion: "two",
      publishedAt: now().toISOString(),
    });
    const publishedAt = "2026-02-03T00:30:00+01:00";
    expect(await build(root, { previous, publishedAt })).toEqual({
      ...previous,
      artifactVersion: "20260202.1",
      publishedAt,
    });
  });

  test("that is no header value is a problem", async () => {
    const problems = await problemsOf(layPackFolder({}), { artifactVersion: "a\nb" });
    expect(problems).toEqual([
      expect.stringMatching(/artifactVersion must be legal as an HTTP header's value/),
    ]);
  });
});

describe("a build", () => {
  test("is indexed under its source's paths", async () => {
    const root = layPackFolder({
      "tools/a.ts": "this is not loaded",
      "dist/a.mjs": toolModule("a"),
      "dist/b.mjs": checkModule("b"),
      "bundles.json": JSON.stringify({
        "tools/a.ts": "dist/a.mjs",
        "./guardrails/b.ts": "dist/b.mjs",
        "lib/c.ts": "dist/none.mjs",
        "tools/_d.ts": "dist/none.mjs",
      }),
    });
    const index = await build(root, { bundleMap: join(root, "bundles.json") });
    expect(index.tools).toMatchObject([{ id: "a", modulePath: "tools/a.ts" }]);
    expect(index.guardrails).toMatchObject([{ id: "b", checkModulePath: "guardrails/b.ts" }]);
  });

  test("that lacks a bundle, or whose map is wrong, is a problem", async () => {
    const root = layPackFolder({
      "none.json": '{ "tools/a.ts": "dist/a.mjs" }',
      "wrong.json": '{ "tools/a.ts": "../a.mjs" }',
    });
    expect(await problemsOf(root, { bundleMap: join(root, "none.json") })).toEqual([
      expect.stringMatching(/^tools\/a\.ts: Cannot import it: .*dist\/a\.mjs/),
    ]);
    expect(await problemsOf(root, { bundleMap: join(root, "wrong.json") })).toEqual([
      expect.stringMatching(
        /^wrong\.json: The bundle map's "tools\/a\.ts" must be a path inside the module root/,
      ),
    ]);
  });
});
