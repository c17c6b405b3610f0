import { createPackClient } from "../../src/client.ts";
import type { PackClient, PackClientError } from "../../src/client.ts";
import { MAX_TIMEOUT_MS } from "../../src/protocol.ts";
import { TOKEN_NAME } from "../config.ts";
import { UsageError, painterFor } from "./command-io.ts";
import type { CommandIo } from "./command-io.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { visible } from "../paint.ts";

/** The flags of every command that talks to a service, as `parseArgs` takes them. */
export const CONNECTION_FLAGS = {
  token: { type: "string" },
  "timeout-ms": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export const TOKEN_HELP = `  --token <token>
      The service's token. Default: ${TOKEN_NAME} from the environment, which no process list shows.`;

export function connect(url: string, token: string | undefined, io: CommandIo): PackClient {
  const { environment, fetch, clock } = io;
  try {
    return createPackClient({
      url,
      token: token ?? (environment[TOKEN_NAME]?.trim() || undefined),
      fetch,
      clock,
      onRetry: (error, delayMs) => noteRetry(error, delayMs, io),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const tokenSource = token === undefined ? TOKEN_NAME : "--token";
    const { message } = error;
    throw new UsageError(
      message.replace("options.url", "The URL").replace("options.token", tokenSource),
    );
  }
}

function noteRetry(
  { refusal }: PackClientError,
  delayMs: number,
  { stderr, environment }: CommandIo,
) {
  if (!stderr.isTerminal) return;
  const paint = painterFor(stderr, environment);
  const missing = refusal?.missingEnv ? ` ${JSON.stringify(refusal.missingEnv)}` : "";
  const reason = visible(`${refusal?.error}${missing}`);
  stderr.write(`${paint("dim", `503 ${reason}; again in ${Math.round(delayMs)} ms`)}\n`);
}

export function readTimeoutFlag(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeoutMs = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  throw new UsageError(
    `--timeout-ms must be a whole number from 1 to ${MAX_TIMEOUT_MS}, not ${JSON.stringify(text)}`,
  );
}

/** Prints why there is no answer. */
export function reportClientError(
  error: PackClientError,
  { stdout, environment }: CommandIo,
): number {
  const { code, message, status, retryable, refusal } = error;
  if (stdout.isTerminal) {
    stdout.write(`${painterFor(stdout, environment)("red", code)}  ${visible(message)}\n`);
  } else {
    stdout.write(`${JSON.stringify({ ok: false, code, message, status, retryable, refusal })}\n`);
  }
  return exitCodeOf(code);
}
