import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Code of a document, by the line that it begins on. */
interface Snippet {
  document: string;
  line: number;
  language: string;
  code: string;
}

interface Omission {
  why: string;
  holds: (snippet: Snippet) => boolean;
}

const OMITTED: readonly Omission[] = [
  {
    why: "imports what test/embedding alone installs, and runs there as it stands",
    holds: ({ document, language }) => document === "docs/embedding.md" && language === "js",
  },
  {
    why: "is one of docs/embedding.md",
    holds: ({ document, code }) => document === "README.md" && code.includes('from "express"'),
  },
];

const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const documents = ["README.md", ...docs.map((name) => `docs/${name}`)];
const snippets = documents.flatMap(snippetsOf);
const checked = snippets.filter((snippet) => !OMITTED.some(({ holds }) => holds(snippet)));

function snippetsOf(document: string): Snippet[] {
  const text = readFileSync(join(root, document), "utf8");
  const blocks = text.matchAll(/^```(ts|js)\n(.*?)^```$/gms);
  return [...blocks].map(({ 1: language = "", 2: code = "", index }) => {
    return { document, line: text.slice(0, index).split("\n").length + 1, language, code };
  });
}

/** What TypeScript says of snippets that are modules of their own in this package, whose name leads to its build. */
function typeErrors(snippets: readonly Snippet[]): string[] {
  const files = new Map(
    snippets.map((one) => [join(root, `${one.document}.${one.line}.${one.language}`), one]),
  );
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  const codeOf = (path: string) => files.get(path)?.code ?? packFile(path);
  // Without it, TypeScript asks for the files of folders that aren't there.
  delete host.directoryExists;
  host.fileExists = (path) => codeOf(path) !== undefined || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const code = codeOf(path);
    return code === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, code, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).flatMap((diagnostic) => {
    const { file, start = 0, code, messageText } = diagnostic;
    const snippet = files.get(file?.fileName ?? "");
    if (snippet?.language === "js" && isImplicitAny(code)) return [];
    const line = file ? file.getLineAndCharacterOfPosition(start).line : 0;
    const place = snippet ? `${snippet.document}:${snippet.line + line}` : file?.fileName;
    return [`${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`];
  });
}

/** A file of the pack that `init` makes: the reader of a snippet stands in its folder. */
function packFile(path: string): string | undefined {
  const place = join(root, "templates/pack", relative(root, path));
  return path.startsWith(join(root, "tools/")) && existsSync(place)
    ? readFileSync(place, "utf8")
    : undefined;
}

/** JavaScript has no types to give. */
function isImplicitAny(code: number): boolean {
  return code >= 7000 && code < 8000;
}

const WRONG = [
  `import { defineTool } from "pack-handler/author";\ndefineTool({ id: 1 });\n`,
  `import {\n  definePack,\n} from "pack-handler";\ndefinePack();\n`,
  `export const answer =\n  handler;\n`,
  `export const double =\n  (one) => 2 * one;\n`,
].map((code, i) => ({ document: `wrong ${i}`, line: 10, language: "ts", code }));

test("the snippets of the documentation have no type errors, and one that has is told by its line", () => {
  expect(checked.map(({ document }) => document)).toContain("README.md");
  const errors = typeErrors([...checked, ...WRONG]);
  const places = errors.map((error) => error.split(": ")[0]);
  expect(places, errors.join("\n")).toEqual(WRONG.map(({ document }) => `${document}:11`));
});

test.each(OMITTED)("what is left out is there, since it $why", ({ holds }) => {
  expect(snippets.filter(holds)).not.toEqual([]);
});
