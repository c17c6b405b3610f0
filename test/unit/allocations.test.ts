import { expect, test } from "vitest";
import expected from "../allocations/expected.json" with { type: "json" };
import { measureAllocations } from "../allocations/measure.mjs";

/** How far a figure may be from the one that is kept. Between runs and machines they differ by up to one percent. */
const BAND = 0.03;

test("a call allocates what it did", async () => {
  const measured: Record<string, number> = await measureAllocations();
  const changes = Object.entries(expected).flatMap(([name, bytes]) => {
    const found = measured[name] ?? NaN;
    const isWithin = Math.abs(found / bytes - 1) <= BAND;
    return isWithin ? [] : [`${name}: ${found} bytes instead of ${bytes}`];
  });
  const remedy = "If that is meant, `npm run allocations` keeps the new figures";
  expect(changes, `A call allocates more, or less. ${remedy}`).toEqual([]);
  expect(Object.keys(measured)).toEqual(Object.keys(expected));
}, 120_000);
