import { describe, expect, test } from "vitest";
import { checkPackIndex, modulePaths, normalizeModulePath } from "../../src/pack-index.ts";

const tool = { id: "t", input: {}, output: {}, modulePath: "tools/t.mjs" };
const guardrail = { id: "g", kind: "response", action: "block", checkModulePath: "g.mjs" };
const index = {
  v: 1,
  packId: "p",
  packVersion: "1",
  artifactVersion: "20260101.1",
  tools: [tool],
  guardrails: [guardrail],
};

function problemsOf(value: unknown): string[] {
  const checked = checkPackIndex(value);
  return "problems" in checked ? checked.problems : [];
}

describe("checkPackIndex (§3)", () => {
  test("accepts an index with unknown members", () => {
    expect(problemsOf({ ...index, agents: [], flows: [{}], later: 1 })).toEqual([]);
    expect(problemsOf({ ...index, tools: [{ ...tool, later: 1, effects: [] }] })).toEqual([]);
  });

  test.each([
    [{ v: 2 }, "v must be the number 1, not 2"],
    [{ v: undefined }, "v is missing; it must be the number 1"],
    [{ packId: "" }, 'packId must be a non-empty string, not ""'],
    [{ packVersion: 3 }, "packVersion must be a non-empty string, not 3"],
    [{ artifactVersion: "a\nb" }, "artifactVersion must be legal as an HTTP header's value"],
    [{ artifactVersion: " a" }, "artifactVersion must be legal as an HTTP header's value"],
    [{ artifactVersion: "日" }, "artifactVersion must be legal as an HTTP header's value"],
    [{ tools: {} }, "tools must be an array, not an object"],
    [{ guardrails: undefined }, "guardrails is missing; it must be an array"],
    [{ agents: {} }, "agents must be an array, not an object"],
    [{ flows: "x" }, 'flows must be an array, not "x"'],
    [{ tools: [null] }, "tools[0] must be an object, not null"],
    [{ tools: [{ ...tool, id: "" }] }, 'tools[0].id must be a non-empty string, not ""'],
    [{ tools: [{ ...tool, version: 1 }] }, 'tools[0] ("t").version must be a non-empty string'],
    [{ tools: [{ ...tool, input: undefined }] }, 'tools[0] ("t").input is missing'],
    [{ tools: [{ ...tool, output: undefined }] }, 'tools[0] ("t").output is missing'],
    [{ guardrails: [{ ...guardrail, kind: undefined }] }, 'guardrails[0] ("g").kind is missing'],
    [
      { guardrails: [{ ...guardrail, action: undefined }] },
      'guardrails[0] ("g").action is missing',
    ],
    [{ guardrails: [{ ...guardrail, checkId: 5 }] }, 'guardrails[0] ("g").checkId must be'],
    [{ env: [] }, "env must be an object, not an array"],
    [{ env: { required: "A" } }, 'env.required must be an array of names, not "A"'],
    [{ env: { optional: [""] } }, 'env.optional[0] must be a non-empty string, not ""'],
  ])("names the problem of %j", (change, problem) => {
    expect(problemsOf({ ...index, ...change }).join("\n")).toContain(problem);
  });

  test.each([null, [], "x", 1])("refuses %j for an index", (value) => {
    expect(problemsOf(value)).toHaveLength(1);
  });

  test.each([
    "../a.mjs",
    "a/../../b.mjs",
    "/etc/passwd",
    "C:/a.mjs",
    "file:///a.mjs",
    "a\\b.mjs",
    "",
    "a/..",
  ])("refuses the module path %j", (modulePath) => {
    expect(problemsOf({ ...index, tools: [{ ...tool, modulePath }] })).toHaveLength(1);
  });

  test.each(["./a.mjs", "a/../b.mjs", "a//b.mjs", "..a/b.mjs"])(
    "takes the path %j",
    (modulePath) => {
      expect(problemsOf({ ...index, tools: [{ ...tool, modulePath }] })).toEqual([]);
    },
  );

  test("lists every problem at once", () => {
    expect(problemsOf({ v: 0, tools: [{}], guardrails: [{}] }).length).toBeGreaterThan(8);
  });

  test("takes several versions of a tool, and none twice", () => {
    const versions = (...list: (string | undefined)[]) =>
      problemsOf({ ...index, tools: list.map((version) => ({ ...tool, version })) });
    expect(versions("1", "2", undefined)).toEqual([]);
    expect(versions("1", "1")).toEqual(['The index names tool "t" version "1" more than once']);
    expect(versions(undefined, undefined)).toEqual([
      'The index names tool "t" without a version more than once',
    ]);
  });

  test("takes no check id twice, whichever member gives it", () => {
    const guardrails = [guardrail, { ...guardrail, id: "h", checkId: "g" }];
    expect(problemsOf({ ...index, guardrails })).toEqual([
      'The index names check "g" more than once',
    ]);
  });
});

test("modulePaths names each module once, however it is written", () => {
  const checked = checkPackIndex({
    ...index,
    tools: [tool, { ...tool, id: "u", modulePath: "./tools/t.mjs" }],
  });
  expect("index" in checked && modulePaths(checked.index)).toEqual(["tools/t.mjs", "g.mjs"]);
});

test("normalizeModulePath resolves dots and empty segments", () => {
  expect(normalizeModulePath("./a/./b//../c.mjs")).toBe("a/c.mjs");
});
