import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cases } from "./cases.ts";
import { gapCases } from "./gaps.ts";
import { requirements, verifiedElsewhere } from "./requirements.ts";

const cited = new Set<string>(cases.flatMap((case_) => case_.verifies));

describe("the contract's requirements", () => {
  test.each(Object.entries(requirements))("%s is verified: %s", (id) => {
    const elsewhere = verifiedElsewhere[id as keyof typeof requirements];
    if (elsewhere) expect(existsSync(new URL(`../../${elsewhere}`, import.meta.url))).toBe(true);
    else expect(cited).toContain(id);
  });

  test("no case cites one that isn't there", () => {
    expect([...cited].filter((id) => !(id in requirements))).toEqual([]);
  });

  test("every case verifies something, and its id is its own", () => {
    const ids = cases.map((case_) => case_.id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(cases.filter((case_) => case_.verifies.length === 0)).toEqual([]);
  });

  test("every known gap is of a case that there is", () => {
    const ids = new Set(cases.map((case_) => case_.id));
    expect(gapCases().filter((id) => !ids.has(id))).toEqual([]);
  });
});
