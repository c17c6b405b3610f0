import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCorpus } from "./corpus.ts";
import { mutate, randomFrom } from "./mutate.ts";
import { targets } from "./targets.ts";

const CORPUS = fileURLToPath(new URL("corpus", import.meta.url));

describe.each(targets.map((target) => [target.name, target] as const))("%s", (name, target) => {
  const corpus = readCorpus(CORPUS, name);

  test.each(corpus)("%s", (_name, input) => target.check(input));

  test("mutated", () => {
    const material = { corpus: corpus.map(([, input]) => input), dictionary: target.dictionary };
    expect(corpus.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const input = mutate(material, randomFrom(seed));
        try {
          target.check(input);
        } catch (error) {
          const text = JSON.stringify(new TextDecoder().decode(input));
          throw new Error(`seed ${seed} makes ${text}`, { cause: error });
        }
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });
});
