import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../adapters/openapi/openapi-document.ts";
import { runCommand } from "../../adapters/commands/run-command.ts";
import type { PackIndex } from "../../src/pack-index.ts";
import { createSchemaCompiler } from "../../src/validation.ts";
import ledger from "../../examples/ledger/index.json" with { type: "json" };
import { validateOpenApi } from "../libraries/openapi.ts";
import { layPackFolder } from "./pack-folder.ts";

const url = "http://127.0.0.1:8080";
const head = { v: 1, packId: "p", packVersion: "1", artifactVersion: "1", guardrails: [] } as const;
const packOf = (schemas: unknown[], ids: string[] = []): PackIndex => ({
  ...head,
  tools: schemas.map((input, i) => ({
    id: ids[i] ?? `tool-${i}`,
    input,
    output: {},
    modulePath: "a.js",
  })),
});

/** The verdict of a component's schema, in its document, on a value. */
function judge(document: any, name: string, value: unknown): boolean {
  const { components } = document;
  const compiled = createSchemaCompiler().compile({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $ref: `#/components/schemas/${name}`,
    components,
  });
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  return compiled.validate(value).valid;
}

describe("the document of the example pack", () => {
  const document: any = openApiDocument(ledger as unknown as PackIndex, url);

  test("is valid", async () => {
    expect(await validateOpenApi(document)).toEqual([]);
  });

  test("names each tool, its input and its output", () => {
    const names = Object.keys(document.components.schemas);
    for (const { id } of ledger.tools)
      expect(names).toEqual(expect.arrayContaining([id, `${id}.input`, `${id}.output`]));
    expect(
      document.paths["/v1/invoke"].post.requestBody.content["application/json"].schema.oneOf,
    ).toHaveLength(7);
  });

  test("describes the calls that the service takes", () => {
    const ctx = { tenantId: "t", runId: "r" };
    const message = {
      v: 2,
      kind: "invoke",
      tool: { id: "list-expenses" },
      input: { limit: 5 },
      ctx,
    };
    expect(judge(document, "list-expenses", message)).toBe(true);
    expect(judge(document, "list-expenses", { ...message, input: { limit: 0 } })).toBe(false);
    expect(judge(document, "sum-expenses", message)).toBe(false);
  });
});

describe("a schema of an older draft, or with references", () => {
  test.each<[string, object, unknown, unknown]>([
    ["local references", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "x", 1],
    [
      "a reference to itself",
      { properties: { next: { $ref: "#" } }, required: ["v"] },
      { v: 1, next: { v: 2 } },
      { v: 1, next: {} },
    ],
    [
      "an id and a reference by it",
      {
        $id: "https://x.example/a",
        $ref: "https://x.example/a#/$defs/b",
        $defs: { b: { type: "null" } },
      },
      null,
      1,
    ],
    ["an anchor", { $ref: "#b", $defs: { b: { $anchor: "b", type: "null" } } }, null, 1],
    [
      "names that a fragment escapes",
      { $ref: "#/$defs/a~1b%25 c", $defs: { "a/b% c": { type: "null" } } },
      null,
      1,
    ],
    [
      "a tuple of draft-07",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        items: [{ type: "string" }, { $ref: "#/items/0" }],
        additionalItems: false,
      },
      ["a", "b"],
      ["a", 1],
    ],
    [
      "a limit of draft-04",
      { $schema: "http://json-schema.org/draft-04/schema#", minimum: 1, exclusiveMinimum: true },
      2,
      1,
    ],
    [
      "dependencies",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        dependencies: { a: ["b"], c: { required: ["d"] } },
      },
      { a: 1, b: 1 },
      { c: 1 },
    ],
    ["nullable", { type: "string", nullable: true }, null, 1],
    [
      "a nullable reference",
      {
        properties: { a: { $ref: "#/$defs/a", nullable: true } },
        $defs: { a: { type: "string" } },
      },
      { a: null },
      { a: 1 },
    ],
    [
      "what draft-07 ignores beside a reference",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { a: { $ref: "#/definitions/a", minLength: 5 } },
        definitions: { a: { type: "string" } },
      },
      { a: "x" },
      { a: 1 },
    ],
  ])("keeps its meaning: %s", async (_what, schema, right, wrong) => {
    const document = openApiDocument(packOf([schema, schema]), url);
    expect(await validateOpenApi(document)).toEqual([]);
    for (const name of ["tool-0.input", "tool-1.input"]) {
      expect([judge(document, name, right), judge(document, name, wrong)]).toEqual([true, false]);
    }
  });

  test("has names that are legal and its own", async () => {
    const document: any = openApiDocument(
      packOf([{}, {}, {}, {}], ["a b", "a/b", "Error", "a_b.input"]),
      url,
    );
    expect(await validateOpenApi(document)).toEqual([]);
    const bodies =
      document.paths["/v1/invoke"].post.requestBody.content["application/json"].schema.oneOf;
    expect(new Set(bodies.map(({ $ref }: any) => $ref)).size).toBe(4);
  });
});

const folder = process.env.PACK_TEST_DATA ?? "";

describe.skipIf(!existsSync(folder))("documents of packs of real schemas", () => {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".jsonl") && !name.startsWith("jsts"))
    : [];

  test.each(files)("%s", async (file) => {
    const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
    const all = lines.map(
      (line) => JSON.parse(line) as { schema: unknown; instances?: { data: unknown }[] },
    );
    const document = openApiDocument(packOf(all.map(({ schema }) => schema)), url);
    expect(await validateOpenApi(document)).toEqual([]);
    const compiler = createSchemaCompiler();
    let judged = 0;
    for (const [i, { schema, instances = [] }] of all.entries()) {
      const compiled = compiler.compile(schema);
      if ("problems" in compiled || instances.length === 0 || judged > 40) continue;
      for (const { data } of instances.slice(0, 2)) {
        judged += 1;
        expect([i, judge(document, `tool-${i}.input`, data)]).toEqual([
          i,
          compiled.validate(data).valid,
        ]);
      }
    }
  });
});

describe("pack-handler openapi", () => {
  async function openapi(args: string[]) {
    let out = "";
    let errors = "";
    const code = await runCommand(["openapi", ...args], {
      entry: "",
      environment: {},
      stdout: { isTerminal: false, write: (text) => (out += text) },
      stderr: { isTerminal: false, write: (text) => (errors += text) },
      readStdin: async () => "",
    });
    return { code, out, errors };
  }
  const index = fileURLToPath(new URL("../../examples/ledger/index.json", import.meta.url));

  test("prints the document", async () => {
    const { code, out } = await openapi([
      "--index",
      index,
      "--url",
      "https://packs.example/ledger",
    ]);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { openapi: "3.1.1", servers: [{ url: "https://packs.example/ledger" }] },
    ]);
  });

  test("writes it where no folder is yet", async () => {
    const file = join(layPackFolder({}), "a/b/openapi.json");
    expect(await openapi(["--index", index, "--out", file])).toMatchObject({ code: 0, out: "" });
    expect(JSON.parse(readFileSync(file, "utf8")).openapi).toBe("3.1.1");
  });

  test.each([
    [["--index", "/none.json"], 1, "Cannot read the pack index /none.json"],
    [["--index", index, "--out", `${index}/openapi.json`], 1, "/index.json/openapi.json: E"],
    [["--url", "x"], 2, "--url must be a URL"],
    [["x"], 2, "Unexpected argument"],
  ])("refuses %j", async (args, expected, message) => {
    const { code, errors } = await openapi(args);
    expect([code, errors]).toEqual([expected, expect.stringContaining(message)]);
  });
});
