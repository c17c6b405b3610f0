import { decodeBody } from "../body.ts";
import type { CallerScope } from "./caller-scope.ts";
import { PackClientError, refusalCode } from "./client-error.ts";
import { isObject, parseJson } from "../json.ts";
import type { Refusal } from "../protocol.ts";
import { readRetryAfterMs } from "./retry.ts";
import { thrownMessage } from "../thrown.ts";

/** Any function that answers a request: the global `fetch`, or a pack handler in the same process. */
export type FetchFunction = (request: Request) => Promise<Response>;

/** A 200 answer whose body is JSON. */
export interface Answer {
  headers: Headers;
  body: unknown;
}

/**
 * Sends one request, once.
 * @throws PackClientError when what comes back isn't a 200 with JSON
 * @throws what interrupts the scope
 */
export async function exchange(
  fetch: FetchFunction,
  request: Request,
  scope: CallerScope,
): Promise<Answer> {
  const what = `${request.method} ${request.url}`;
  const { response, bytes } = await receive(fetch, request, scope, what);
  const { status, headers } = response;
  const body = readJson(bytes);
  const code = refusalCode(status);
  if (code && isRefusal(body)) {
    const retryAfterMs = readRetryAfterMs(headers.get("retry-after"), Date.now());
    const message = `${what} was refused with ${status}: ${body.error}`;
    throw new PackClientError(code, message, { status, refusal: body, retryAfterMs });
  }
  if (status === 200 && body !== undefined) return { headers, body };
  const type = headers.get("content-type") ?? "no content type";
  throw unexpectedAnswer(what, status, `a pack service doesn't answer so (${type})`);
}

async function receive(
  fetch: FetchFunction,
  request: Request,
  scope: CallerScope,
  what: string,
): Promise<{ response: Response; bytes: Uint8Array }> {
  try {
    const response = await scope.race(fetch(request));
    const bytes = await scope.race(response.arrayBuffer());
    return { response, bytes: new Uint8Array(bytes) };
  } catch (cause) {
    scope.throwIfInterrupted();
    const message = `${what} failed: ${describeFailure(cause)}`;
    throw new PackClientError("network-failed", message, { cause });
  }
}

/** Node's fetch hides what happened in the cause of its error. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return thrownMessage(error);
  const detail = isObject(cause) && typeof cause.code === "string" ? cause.code : cause;
  return `${thrownMessage(error)} (${thrownMessage(detail)})`;
}

/** A body as JSON; `undefined` when it isn't any. */
function readJson(bytes: Uint8Array): unknown {
  try {
    const text = decodeBody(bytes);
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

function isRefusal(body: unknown): body is Refusal {
  return isObject(body) && typeof body.error === "string";
}

/** An answer that isn't the protocol's: most likely something else than a pack service sent it. */
export function unexpectedAnswer(what: string, status: number, problem: string): PackClientError {
  const message = `${what} was answered ${status}, but ${problem}; check the URL and what stands before the service`;
  return new PackClientError("unexpected-answer", message, { status });
}
