import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** One project for each thing that can be run alone: `vitest run --project node22`. */
const projects = {
  unit: ["test/unit/**/*.test.ts"],
  data: ["test/data/**/*.test.ts"],
  contract: [
    "test/contract/coverage.test.ts",
    "test/contract/properties.test.ts",
    "test/contract/large-bodies.test.ts",
  ],
  "in-process": ["test/contract/in-process.test.ts"],
  node20: ["test/contract/node20.test.ts"],
  node22: ["test/contract/node22.test.ts"],
  node24: ["test/contract/node24.test.ts"],
  node26: ["test/contract/node26.test.ts"],
  bun: ["test/contract/bun.test.ts"],
  deno: ["test/contract/deno.test.ts"],
  embedding: ["test/embedding/*.test.ts"],
  dev: ["test/dev/**/*.test.ts", "test/contract/dev-front.test.ts"],
  fuzz: ["test/fuzz/**/*.test.ts"],
  "edge-workerd": ["test/contract/edge-workerd.test.ts"],
  "edge-node": ["test/contract/edge-node.test.ts"],
  "edge-bun": ["test/contract/edge-bun.test.ts"],
  "edge-deno": ["test/contract/edge-deno.test.ts"],
  "edge-example": ["test/contract/edge/example.test.ts"],
  page: ["test/page/**/*.test.ts"],
  hostile: ["test/hostile/**/*.test.ts"],
  soak: ["test/soak/**/*.test.ts"],
};

/** Files of a minute or more, the longest first. */
const LONG = [
  "hostile/sabotage",
  "hostile/faults-sigterm",
  "contract/node",
  "contract/deno",
  "contract/bun",
  "contract/dev-front",
  "soak/soak",
  "hostile/large-bodies",
  "hostile/faults-memory",
  "page/look",
];

/** Starts long files first: none is left for the end, where nothing runs beside it. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- It is no array's.
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG.findIndex((name) => moduleId.includes(`/test/${name}`));
  return rank === -1 ? LONG.length : rank;
}

export default defineConfig({
  test: {
    // Most of a test is waiting for a process.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    projects: Object.entries(projects).map(([name, include]) => ({
      test: {
        name,
        include,
        maxConcurrency: 8,
        testTimeout: 60_000,
        server: {
          deps: {
            // Packs under test are imported as their runtime would, not transformed.
            external: [/\/fixture-pack\//, /\/contract-pack-/],
          },
        },
      },
    })),
  },
});
