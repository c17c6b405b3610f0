import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkPackIndex } from "../../src/pack-index.ts";
import { thrownMessage } from "../../src/thrown.ts";
import { hostFiles } from "../base-host.ts";
import { indexText } from "../indexing/index-text.ts";
import { writeWhole } from "../write-whole.ts";
import { openApiDocument } from "../openapi/openapi-document.ts";
import { readIndexFile } from "../pack-files.ts";
import { visible } from "../paint.ts";
import { UsageError } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import { OK } from "./exit-codes.ts";

const NOT_WRITTEN = 1;
const DEFAULT_URL = "http://127.0.0.1:8080";

export function openApiHelp(): string {
  return `Usage: pack-handler openapi [options]

Prints a pack as an OpenAPI 3.1 document, from its index.

  --index <file>
      Default: index.json.
  --url <url>
      Where the pack is served. Default: ${DEFAULT_URL}.
  --out <file>
      Writes the document there instead of to stdout.
  -h, --help
      Prints this.

Exit codes:
  0  printed or written
  1  the index can't be read or is wrong, or the document can't be written
  2  the command line can't be followed

Example:
  pack-handler openapi --out openapi.json
`;
}

/** Runs `pack-handler openapi`. Resolves with the exit code. */
export async function openApiCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      index: { type: "string", default: "index.json" },
      url: { type: "string", default: DEFAULT_URL },
      out: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    io.stdout.write(openApiHelp());
    return OK;
  }
  if (!URL.canParse(values.url)) {
    throw new UsageError(`--url must be a URL, not ${JSON.stringify(values.url)}`);
  }
  const read = await readIndexFile(hostFiles, resolve(values.index));
  if ("problem" in read) return fail([read.problem], io);
  const checked = checkPackIndex(read.json);
  if ("problems" in checked) return fail(checked.problems, io);
  const text = indexText(openApiDocument(checked.index, values.url));
  if (values.out === undefined) {
    io.stdout.write(text);
    return OK;
  }
  try {
    await writeWhole(resolve(values.out), text);
    return OK;
  } catch (error) {
    return fail([`Cannot write ${values.out}: ${thrownMessage(error)}`], io);
  }
}

function fail(problems: readonly string[], { stderr }: CommandIo): number {
  stderr.write(problems.map((problem) => `${visible(problem)}\n`).join(""));
  return NOT_WRITTEN;
}
