import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = new URL("../../", import.meta.url);
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const SHARED = 'globalThis[Symbol.for("pack-handler.embedding")]';

const documentation = readFileSync(new URL("docs/embedding.md", REPOSITORY), "utf8");

/** The code under a marker of docs/embedding.md, as it stands there. */
export function snippet(name: string): string {
  const [, after] = documentation.split(`<!-- embedding: ${name} -->\n\n\`\`\`js\n`);
  const code = after?.split("\n```\n")[0];
  if (code === undefined) throw new Error(`docs/embedding.md has no example "${name}"`);
  return `${code}\n`;
}

/** The names of all examples, in their order. */
export function snippetNames(): string[] {
  return [...documentation.matchAll(/<!-- embedding: (\S+) -->/g)].map(([, name = ""]) => name);
}

/** The package's entries, by their built modules, and what each makes a service with. */
const ENTRIES = {
  index: "createPackHandler",
  connect: "createPackMiddleware",
  hattip: "createPackHattipHandler",
};

/**
 * A folder where examples run as they stand. Their imports lead to the frameworks installed here, to the built package,
 * whose services the host gets hold of, and `./pack.js` to the pack that the host has laid out.
 */
export class SnippetFolder {
  readonly #folder = mkdtempSync(join(FOLDER, "run-"));
  #count = 0;

  constructor() {
    const folder = join(this.#folder, "node_modules/pack-handler");
    mkdirSync(folder, { recursive: true });
    const exports: Record<string, string> = {};
    for (const [entry, maker] of Object.entries(ENTRIES)) {
      exports[entry === "index" ? "." : `./${entry}`] = `./${entry}.js`;
      const { href } = new URL(`dist/${entry}.js`, REPOSITORY);
      const code = `export * from ${JSON.stringify(href)};
export const ${maker} = (...all) => ${SHARED}.make("${maker}", ...all);
`;
      writeFileSync(join(folder, `${entry}.js`), code);
    }
    const manifest = { name: "pack-handler", type: "module", exports };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  }

  /**
   * Lays an example out in a folder of its own, with a file for each part of it that begins with a comment of an app's
   * path. Returns the path of the first.
   */
  lay(code: string): string {
    this.#count += 1;
    const folder = join(this.#folder, String(this.#count));
    const [first = ""] = code.split(/^(?=\/\/ app\/)/m).map((part) => layPart(folder, part));
    return first;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function layPart(folder: string, code: string): string {
  const [, name = "example.js"] = /^\/\/ (app\/\S+)\n/.exec(code) ?? [];
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const names = "{ index, modules, options }";
  writeFileSync(join(dirname(path), "pack.js"), `export const ${names} = ${SHARED}.pack;\n`);
  writeFileSync(path, code);
  return path;
}
