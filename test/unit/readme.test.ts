import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { EXIT_CODES } from "../../adapters/commands/exit-codes.ts";
import { SETTINGS } from "../../adapters/config.ts";
import { CLIENT_ERROR_CODES } from "../../src/client/client-error.ts";
import { OPTION_NAMES } from "../../src/options.ts";
import { ERROR_CODES } from "../../src/protocol.ts";
import { REFUSAL_STATUSES } from "../../src/transport.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The rows of the table under a marker, each with its cells as plain text. */
function tableUnder(marker: string): string[][] {
  const [, after = ""] = readme.split(`<!-- ${marker} -->\n\n`);
  const [table = ""] = after.split("\n\n");
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

const firstCells = (marker: string) => tableUnder(marker).map(([cell]) => cell);

describe("README.md", () => {
  test("names every error code", () => {
    expect(firstCells("codes")).toEqual(ERROR_CODES);
  });

  test("names every refusal", () => {
    expect(firstCells("refusals").map(Number)).toEqual(REFUSAL_STATUSES);
  });

  test("names every option", () => {
    expect(firstCells("options")).toEqual(OPTION_NAMES);
  });

  test("names every setting, where it comes from and its default", () => {
    const settings = Object.values(SETTINGS).map(({ flag = "", env = "", defaultText }) => [
      flag,
      env,
      defaultText,
    ]);
    expect(tableUnder("settings").map((cells) => cells.slice(0, 3))).toEqual(settings);
  });

  test("names every error of the client", () => {
    expect(firstCells("client-errors")).toEqual(CLIENT_ERROR_CODES);
  });

  test("names every exit code", () => {
    const codes = [...EXIT_CODES].map(([code, text]) => [String(code), text]);
    expect(tableUnder("exit-codes")).toEqual(codes);
  });

  test("has an example under 20 lines that prints what it says", () => {
    const [, example = "", printed] =
      /```js\n(.+?)```\n\nprints\n\n```text\n(.+?)```/s.exec(readme) ?? [];
    expect(example.split("\n").length).toBeLessThan(20);
    const cwd = fileURLToPath(new URL("../../", import.meta.url));
    const arguments_ = ["--input-type=module", "-"];
    const output = execFileSync(process.execPath, arguments_, {
      cwd,
      input: example,
      encoding: "utf8",
    });
    expect(output).toBe(printed);
  });
});
