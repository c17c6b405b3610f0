import { describe, expect, test } from "vitest";
import { readTimeoutMs } from "../../src/timeout.ts";
import { parseTraceparent } from "../../src/trace.ts";

describe("readTimeoutMs (§1)", () => {
  test.each([
    ["1", 1],
    ["0250", 250],
    ["2147483647", 2_147_483_647],
    ["2147483648", 2_147_483_647],
    ["99999999999", 2_147_483_647],
    ["9".repeat(400), 2_147_483_647],
  ])("reads %s as %i", (header, timeoutMs) => {
    expect(readTimeoutMs(header, 5)).toBe(timeoutMs);
  });

  test.each([
    null,
    "",
    "0",
    "000",
    "-5",
    "+5",
    "abc",
    "1e3",
    "0x10",
    "1.5",
    " 1",
    "1 ",
    "1, 2",
    "١",
  ])("takes the default for %j", (header) => {
    expect(readTimeoutMs(header, 5)).toBe(5);
  });
});

describe("parseTraceparent (§1, §8)", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const spanId = "00f067aa0ba902b7";

  test.each([`00-${traceId}-${spanId}-01`, `01-${traceId}-${spanId}-00-later`])(
    "reads %s",
    (header) => {
      expect(parseTraceparent(header)).toEqual({ traceId, spanId });
    },
  );

  test.each([
    null,
    "",
    "x",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
  ])("takes %j for none", (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});
