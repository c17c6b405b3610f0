import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileBothWays, expectSame } from "./both-ways.ts";
import { mutationsOf, valuesNear } from "./values.ts";

const folder = process.env.PACK_TEST_DATA;
const described = folder === undefined ? describe.skip : describe;

/** Values that are made up for each schema, and changes of each of its samples. */
const GENERATED = 8;
const CHANGES = 3;

interface Entry {
  id: string;
  schema: unknown;
  samples: readonly string[];
}

type Line = Omit<Entry, "samples"> & { instances?: { data: unknown }[] };

function entriesOf(file: string): Entry[] {
  const lines = readFileSync(join(folder!, `${file}.jsonl`), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => {
    const { id, schema, instances = [] } = JSON.parse(line) as Line;
    return { id, schema, samples: instances.map(({ data }) => JSON.stringify(data)) };
  });
}

interface HardCase {
  id: string;
  schema: unknown;
  checks: { input?: unknown; inputJson?: string }[];
}

function hardCases(): Entry[] {
  const text = readFileSync(join(folder!, "hard-cases.json"), "utf8");
  return (JSON.parse(text) as { cases: HardCase[] }).cases.map(({ id, schema, checks }) => ({
    id,
    schema,
    samples: checks.map(({ input, inputJson }) => inputJson ?? JSON.stringify(input)),
  }));
}

async function judge(entries: readonly Entry[]): Promise<{ schemas: number; values: number }> {
  const compiled = await compileBothWays(entries);
  let values = 0;
  for (const [i, both] of compiled.entries()) {
    const { schema, samples } = entries[i]!;
    const generated = fc.sample(valuesNear(schema), { numRuns: GENERATED, seed: i });
    const changed = samples.flatMap((sample) =>
      fc.sample(mutationsOf(JSON.parse(sample)), { numRuns: CHANGES, seed: i }),
    );
    const all = [...samples, ...generated, ...changed];
    expectSame(both, all);
    values += all.length;
  }
  const isThere = compiled.filter(({ pairs }) => !("problems" in pairs[0]![1]));
  return { schemas: isThere.length, values };
}

described(
  "§5 validators compiled ahead of time give the verdicts of those made at run time",
  () => {
    test.each([
      ["github-mcp-server", 112],
      ["kubernetes-mcp-server", 66],
      ["function-calling-test-suite", 39],
      ["mcp-spec", 126],
      ["fabric-openapi-derived", 400],
      ["jsts-draft2020-12", 360],
      ["jsts-draft7", 246],
    ])("%s", { timeout: 300_000 }, async (file, schemas) => {
      const judged = await judge(entriesOf(file));
      expect(judged.schemas).toBe(schemas);
      expect(judged.values).toBeGreaterThanOrEqual(schemas * GENERATED);
    });

    test("hard cases", async () => {
      expect((await judge(hardCases())).schemas).toBeGreaterThan(10);
    });
  },
);
