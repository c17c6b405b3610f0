import type { PageTarget } from "../../adapters/dev/page-events.ts";
import type { ResponseMessage } from "../../src/protocol.ts";
import { renewSession } from "./feed.ts";

/** What a call came to: a message, or why there is none. */
export type Answer = { durationMs: number | undefined; artifactVersion: string | undefined } & (
  | { message: ResponseMessage }
  | { refusal: string }
);

export interface CallInput {
  target: PageTarget;
  /** A tool's input or a check's config. */
  input: unknown;
  /** A tool's call context. */
  ctx: unknown;
  /** A check's trace. */
  trace: unknown;
}

/** Calls a tool or a check. Never rejects. */
export async function call(input: CallInput, signal: AbortSignal): Promise<Answer> {
  try {
    const answer = await post(input, signal);
    if (answer.status !== 401) return await readAnswer(answer);
    await renewSession();
    return await readAnswer(await post(input, signal));
  } catch (error) {
    const refusal = signal.aborted
      ? "Cancelled"
      : `dev doesn't answer: ${(error as Error).message}`;
    return { refusal, durationMs: undefined, artifactVersion: undefined };
  }
}

function post({ target, input, ctx, trace }: CallInput, signal: AbortSignal): Promise<Response> {
  const { kind, id, version } = target;
  const message =
    kind === "tool"
      ? { v: 2, kind: "invoke", tool: { id, version }, input, ctx }
      : { v: 2, kind: "check-invoke", check: { id }, config: input, trace };
  return fetch("/v1/invoke", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
    signal,
  });
}

async function readAnswer(response: Response): Promise<Answer> {
  const { headers, status } = response;
  const duration = headers.get("kindgi-duration-ms");
  const meta = {
    durationMs: duration === null ? undefined : Number(duration),
    artifactVersion: headers.get("kindgi-artifact-version") ?? undefined,
  };
  const body = await response.json();
  return status === 200
    ? { ...meta, message: body }
    : { ...meta, refusal: `${status} ${String(body.error)}` };
}
