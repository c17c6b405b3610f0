import { parseArgs } from "node:util";
import type { Info } from "../../src/client.ts";
import { isPackClientError } from "../../src/client/client-error.ts";
import { UsageError, painterFor } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import {
  connect,
  CONNECTION_FLAGS,
  readTimeoutFlag,
  reportClientError,
  TOKEN_HELP,
} from "./connection.ts";
import { exitCodesHelp, OK } from "./exit-codes.ts";
import { visible } from "../paint.ts";
import type { Paint } from "../paint.ts";

export function infoHelp(): string {
  return `Usage: pack-handler info <url> [options]

Prints what a pack service holds: for a person on a terminal, as one line of JSON elsewhere.

${TOKEN_HELP}
  --timeout-ms <ms>
      How long to wait for the answer. Default: 10000.
  -h, --help
      Prints this.

${exitCodesHelp()}
Example:
  pack-handler info http://127.0.0.1:8080
`;
}

/** Runs `pack-handler info`. Resolves with the exit code. */
export async function infoCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: CONNECTION_FLAGS,
  });
  const { stdout, environment } = io;
  if (values.help) {
    stdout.write(infoHelp());
    return OK;
  }
  const [url, ...rest] = positionals;
  if (!url || rest.length > 0) throw new UsageError("info takes one URL");
  const client = connect(url, values.token, io);
  const timeoutMs = readTimeoutFlag(values["timeout-ms"]);
  try {
    const info = await client.info({ timeoutMs });
    const text = stdout.isTerminal
      ? infoText(info, painterFor(stdout, environment))
      : JSON.stringify(info);
    stdout.write(`${text}\n`);
    return OK;
  } catch (error) {
    if (isPackClientError(error)) return reportClientError(error, io);
    throw error;
  }
}

function infoText(info: Info, paint: Paint): string {
  const { packId, packVersion, artifactVersion, protocol, tools, checks, missingEnv } = info;
  const about = visible(`protocol ${protocol}, artifact ${artifactVersion}`);
  const lines = [
    `${paint("bold", visible(packId))} ${visible(packVersion)}  ${paint("dim", about)}`,
    paint("dim", "tools:"),
    ...listOf(tools.map(({ id, version }) => (version === undefined ? id : `${id} ${version}`))),
    paint("dim", "checks:"),
    ...listOf(checks),
  ];
  if (missingEnv.length > 0) {
    lines.push(paint("yellow", "environment names that are missing:"), ...listOf(missingEnv));
  }
  return lines.join("\n");
}

function listOf(items: readonly string[]): string[] {
  return items.length === 0 ? ["  none"] : items.map((item) => `  ${visible(item)}`);
}
