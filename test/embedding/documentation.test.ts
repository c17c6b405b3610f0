import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gapsOf } from "../contract/gaps.ts";
import { MOUNTINGS } from "./mounting.ts";
import { snippet, snippetNames } from "./snippets.ts";
import { WAYS } from "./ways.ts";

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const names = WAYS.map(({ name }) => name);

/** The rows of the table of ways, each with its cells as plain text. */
function tableRows(): string[][] {
  const [, after = ""] = read("docs/embedding.md").split("<!-- ways -->\n\n");
  const [table = ""] = after.split("\n\n");
  const rows = table.split("\n").slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

test("every example is put to the contract", () => {
  expect(snippetNames().toSorted()).toEqual(names.toSorted());
  for (const name of names)
    expect(existsSync(new URL(`${name}.test.ts`, import.meta.url)), name).toBe(true);
});

test("the table tells of every way where it runs and whether it passes disconnects on", () => {
  const told = tableRows().map(([name, runtime, cancels]) => [name, runtime, cancels]);
  const known = WAYS.map(({ name, runtime, platform }) => [
    name,
    platform ?? runtime,
    gapsOf(name).has("6-disconnect") ? "no" : "yes",
  ]);
  expect(told.toSorted()).toEqual(known.toSorted());
});

test("the table tells what a body parser ahead comes to", () => {
  for (const { way } of MOUNTINGS) {
    const [, , , parser] = tableRows().find(([name]) => name === way) ?? [];
    expect(parser, way).toMatch(/^`malformed-message`/);
  }
});

test("the README shows one of them", () => {
  expect(read("README.md")).toContain(snippet("express"));
});
