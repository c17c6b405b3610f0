import { describe, expect, test } from "vitest";
import { readOptions } from "../../src/options.ts";

describe("readOptions", () => {
  test("fills in the documented defaults", () => {
    expect(readOptions({})).toMatchObject({
      token: undefined,
      env: {},
      envCheck: "strict",
      maxConcurrency: 32,
      maxBodyBytes: 10_485_760,
      defaultTimeoutMs: 120_000,
      basePath: "",
      Response,
    });
  });

  test.each<[string, unknown]>([
    ["token", ""],
    ["token", " x"],
    ["token", "é"],
    ["token", 1],
    ["env", "x"],
    ["envCheck", "off"],
    ["maxConcurrency", 0],
    ["maxConcurrency", 1.5],
    ["maxBodyBytes", -1],
    ["defaultTimeoutMs", 0],
    ["defaultTimeoutMs", 2_147_483_648],
    ["basePath", "packs"],
    ["basePath", "/packs/"],
    ["basePath", "//"],
    ["onRecord", {}],
    ["logLevel", "loud"],
    ["logLevels", { pack: "loud" }],
    ["Response", {}],
    ["readBody", 1],
    ["decodeBody", "utf-8"],
    ["onDisconnect", null],
    ["isExotic", true],
    ["now", 0],
  ])("refuses %s %j and names it", (name, value) => {
    expect(() => readOptions({ [name]: value })).toThrow(`options.${name} must be`);
  });

  test("names every wrong option at once, and no token", () => {
    const wrong = () => readOptions({ token: "my secret", maxConcurrency: 0 });
    expect(wrong).toThrow(/options\.token.*options\.maxConcurrency/s);
    expect(wrong).not.toThrow("my secret");
  });

  test.each(["", "/a", "/packs/ledger"])("takes the base path %j", (basePath) => {
    expect(readOptions({ basePath }).basePath).toBe(basePath);
  });
});
