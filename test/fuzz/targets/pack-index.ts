import assert from "node:assert/strict";
import { packInfo } from "../../../src/info.ts";
import { encodeJson } from "../../../src/json.ts";
import { createSchemaCompiler } from "../../../src/validation.ts";
import { bindPack } from "../../../src/pack.ts";
import { checkIdOf, checkPackIndex, modulePaths } from "../../../src/pack-index.ts";
import { infoProblems } from "../../contract/protocol-schema.ts";
import type { FuzzTarget } from "../target.ts";

/** No problem quotes more of an index than this. */
const MAX_PROBLEM_LENGTH = 20_000;

/** An index is refused with problems, or can be bound: to a pack that holds all it names, or with problems. Nothing throws. */
export const packIndexTarget: FuzzTarget = {
  name: "pack-index",
  dictionary: [
    ...[
      "v",
      "packId",
      "packVersion",
      "artifactVersion",
      "publishedAt",
      "tools",
      "guardrails",
      "env",
    ],
    ...[
      "required",
      "optional",
      "id",
      "checkId",
      "version",
      "input",
      "output",
      "modulePath",
      "kind",
    ],
    ...[
      "action",
      "checkModulePath",
      "configSchema",
      "type",
      "properties",
      "items",
      "$ref",
      "$defs",
    ],
    ...[
      "$schema",
      "$id",
      "$anchor",
      "$dynamicRef",
      "$dynamicAnchor",
      "default",
      "pattern",
      "format",
    ],
    ...[
      "patternProperties",
      "additionalProperties",
      "unevaluatedProperties",
      "dependencies",
      "allOf",
    ],
    ...["anyOf", "not", "if", "nullable", "multipleOf", "enum", "const", "uniqueItems", "contains"],
    ...[
      "__proto__",
      "constructor",
      "../x",
      "./a//b",
      "a:b",
      "(a+)+$",
      "(?=a)",
      "\\p{L}",
      "date-time",
    ],
    ...["http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#"],
    ...[
      "https://json-schema.org/draft/2020-12/schema",
      "#",
      "#/$defs/a",
      "string",
      "object",
      "float",
    ],
  ],
  check(input) {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder().decode(input));
    } catch {
      return;
    }
    const checked = checkPackIndex(value);
    if ("problems" in checked) return assertProblems(checked.problems);
    const { index } = checked;
    const module = { default: (given: unknown) => given, evaluate: () => ({ passed: true }) };
    const modules = new Map(modulePaths(index).map((path) => [path, module]));
    const problems: string[] = [];
    const pack = bindPack(index, modules, createSchemaCompiler(), problems);
    if (problems.length > 0) return assertProblems(problems);
    for (const { id } of index.tools)
      assert.ok(pack.tools.get(id)?.every(({ handler }) => handler));
    for (const entry of index.guardrails) assert.ok(pack.checks.get(checkIdOf(entry))?.evaluate);
    assert.deepEqual(infoProblems(JSON.parse(encodeJson(packInfo(index, [])))), []);
    assert.doesNotThrow(() => new Headers({ "kindgi-artifact-version": index.artifactVersion }));
    for (const { validateInput, validateOutput } of [...pack.tools.values()].flat()) {
      for (const validate of [validateInput, validateOutput]) {
        const verdict = validate(JSON.parse(JSON.stringify(index)));
        if (!verdict.valid) assert.ok(verdict.issues.length > 0 && verdict.issues.length <= 100);
      }
    }
  },
};

function assertProblems(problems: readonly string[]): void {
  assert.ok(problems.length > 0);
  for (const problem of problems) {
    assert.ok(typeof problem === "string" && problem !== "");
    assert.ok(problem.length < MAX_PROBLEM_LENGTH, `a problem of ${problem.length} characters`);
  }
}
