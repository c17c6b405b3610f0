import { defineConfig } from "vitest/config";

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

export default defineConfig({
  test: {
    // Most of a test is waiting for a process.
    maxWorkers: "100%",
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
