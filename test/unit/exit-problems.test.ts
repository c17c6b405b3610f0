import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { exitProblems } from "../../adapters/indexing/exit-problems.ts";
import { layPackFolder } from "./pack-folder.ts";

const END = "Line 2, column 7 ended the process with exit code 0; ";

function filesNamed(frames: (root: string) => string[]) {
  const root = layPackFolder({});
  const entry = pathToFileURL(join(root, "node_modules/pack-handler/dist/cli.js")).href;
  const own = `    at ${entry}:9:9`;
  const stack = ["Error: the end", own, ...frames(root), `    at async ${entry}:8:8`].join("\n");
  return exitProblems({ code: 0, stack }, { root, entry, loading: ["tools/x.mjs"] });
}

test.each<[string, (root: string) => string]>([
  ["a URL", (root) => `    at ${pathToFileURL(join(root, "tools/a b.mjs")).href}:2:7`],
  ["a path", (root) => `    at leave (${join(root, "tools/a b.mjs")}:2:7)`],
])("the module that is on the stack by %s is named, and the command itself never", (_by, frame) => {
  const below = "    at process.exit (node:internal/process/per_thread:184:15)";
  const problems = filesNamed((root) => [below, frame(root), `    at ${root}/tools/other.mjs:1:1`]);
  expect(problems).toEqual([{ file: "tools/a b.mjs", message: expect.stringContaining(END) }]);
});

test("else what was being imported is named", () => {
  expect(filesNamed(() => ["    at exit (unknown)", "    at /elsewhere/a.mjs:1:1"])).toEqual([
    { file: "tools/x.mjs", message: expect.stringContaining("while this was imported") },
  ]);
});
