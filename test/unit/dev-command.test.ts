import { describe, expect, test } from "vitest";
import { commandWords } from "../../adapters/dev/command-words.ts";
import { ignoreFilter } from "../../adapters/dev/watch.ts";

describe("a command's words", () => {
  test.each([
    ["python -m pack", ["python", "-m", "pack"]],
    ["  a   b\tc ", ["a", "b", "c"]],
    [`"a b" 'c "d"' e\\ f`, ["a b", 'c "d"', "e f"]],
    [`--x="a b"'c'`, ["--x=a bc"]],
    [`"a \\"b\\" \\n"`, ['a "b" \\n']],
    [`a '' ""`, ["a", "", ""]],
    ["$HOME | x", ["$HOME", "|", "x"]],
  ])("of %j", (text, words) => {
    expect(commandWords(text)).toEqual(words);
  });

  test.each(["", "  ", `"a`, "a 'b", "a\\"])("there are none in %j", (text) => {
    expect(commandWords(text)).toBeUndefined();
  });
});

describe("what is watched", () => {
  const isIgnored = ignoreFilter({
    root: "/pack/dist",
    files: ["/pack/dist/build/index.json"],
    ignored: ["data/", "tools/notes.md"],
  });

  test.each([
    "/pack/dist",
    "/pack/dist/tools/a.ts",
    "/pack/dist/index.json",
    "/pack/dist/build/index.json",
    "/pack/dist/database.ts",
    "/pack/dist/tools/log.ts",
  ])("%s is", (path) => expect(isIgnored(path)).toBe(false));

  test.each([
    "/pack/dist/node_modules",
    "/pack/dist/tools/node_modules/a/index.js",
    "/pack/dist/.git/HEAD",
    "/pack/dist/tools/.a.ts.swp",
    "/pack/dist/tools/a.ts~",
    "/pack/dist/dev.log",
    "/pack/dist/build/a.js",
    "/pack/dist/data/a.json",
    "/pack/dist/tools/data",
    "/pack/dist/tools/notes.md",
  ])("%s isn't", (path) => expect(isIgnored(path)).toBe(true));
});
