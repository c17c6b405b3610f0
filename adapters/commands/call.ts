import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import type { CallContext, InvokeOptions } from "../../src/client.ts";
import { isPackClientError } from "../../src/client/client-error.ts";
import { isObject } from "../../src/json.ts";
import { DEFAULT_TIMEOUT_MS } from "../../src/protocol.ts";
import { UsageError, painterFor } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import {
  connect,
  CONNECTION_FLAGS,
  readTimeoutFlag,
  reportClientError,
  TOKEN_HELP,
} from "./connection.ts";
import { exitCodeOf, exitCodesHelp, OK } from "./exit-codes.ts";
import { outcomeText } from "./outcome-text.ts";

export function callHelp(): string {
  return `Usage: pack-handler call <url> <tool> [input] [options]

Calls a tool of a pack service. The input is JSON text, or - for what stdin holds; without one it is {}. The outcome is
printed for a person on a terminal, as one line of JSON elsewhere.

${TOKEN_HELP}
  --tenant <id>
      ctx.tenantId. Default: cli.
  --run <id>
      ctx.runId. Default: cli- and a random id.
  --ctx <json>
      An object of more members for ctx, such as '{"env":{"REGION":"eu"}}'. --tenant and --run win over its ids.
  --version <version>
      The tool's version. Default: the pack's one version of it.
  --timeout-ms <ms>
      The call's deadline, waiting for a busy service included. Default: ${DEFAULT_TIMEOUT_MS}.
  -h, --help
      Prints this.

${exitCodesHelp()}
Examples:
  pack-handler call http://127.0.0.1:8080 list-expenses '{"limit":5}'
  pack-handler call http://127.0.0.1:8080 list-expenses - < input.json | jq .output
`;
}

/** Runs `pack-handler call`. Resolves with the exit code. */
export async function callCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      ...CONNECTION_FLAGS,
      tenant: { type: "string" },
      run: { type: "string" },
      ctx: { type: "string" },
      version: { type: "string" },
    },
  });
  if (values.help) {
    io.stdout.write(callHelp());
    return OK;
  }
  const [url, toolId, inputText = "{}", ...rest] = positionals;
  if (!url || !toolId) throw new UsageError("call needs a URL and a tool");
  if (rest.length > 0) throw new UsageError("call takes a URL, a tool and one input, no more");
  const client = connect(url, values.token, io);
  const options: InvokeOptions = {
    ctx: callContext(values),
    version: values.version,
    timeoutMs: readTimeoutFlag(values["timeout-ms"]),
  };
  const input = await readInput(inputText, io);
  try {
    const outcome = await client.invoke(toolId, input, options);
    const { stdout, environment } = io;
    stdout.write(
      stdout.isTerminal
        ? outcomeText(outcome, input, painterFor(stdout, environment))
        : `${JSON.stringify(outcome)}\n`,
    );
    return outcome.ok ? OK : exitCodeOf(outcome.code);
  } catch (error) {
    if (isPackClientError(error)) return reportClientError(error, io);
    throw error;
  }
}

interface ContextFlags {
  tenant?: string | undefined;
  run?: string | undefined;
  ctx?: string | undefined;
}

function callContext({ tenant, run, ctx: text = "{}" }: ContextFlags): CallContext {
  const given = readJson("--ctx", text);
  if (!isObject(given)) throw new UsageError("--ctx must be a JSON object");
  const { tenantId = "cli", runId = `cli-${randomUUID()}` } = given;
  const ctx = { ...given, tenantId: tenant ?? tenantId, runId: run ?? runId };
  if (typeof ctx.tenantId === "string" && typeof ctx.runId === "string") return ctx as CallContext;
  throw new UsageError("--ctx must have texts as tenantId and runId, where it has them");
}

async function readInput(text: string, io: CommandIo): Promise<unknown> {
  return text === "-" ? readJson("stdin", await io.readStdin()) : readJson("the input", text);
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of V8's words quotes the text, which may hold a secret.
    const [place = ""] = / at position \d+/.exec((error as Error).message) ?? [];
    throw new UsageError(`${name} is not valid JSON${place}`);
  }
}
