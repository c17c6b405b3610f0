import { readInfo, readResponseMessage } from "./client/answer.ts";
import { CallerScope, systemClock } from "./client/caller-scope.ts";
import type { Clock } from "./client/caller-scope.ts";
import { PackClientError } from "./client/client-error.ts";
import type {
  CheckConfig,
  CheckId,
  CheckResultOf,
  CheckTrace,
  PackTypes,
  ToolId,
  ToolInput,
  ToolOutput,
} from "./client/client-types.ts";
import { exchange, unexpectedAnswer } from "./client/exchange.ts";
import type { Answer, FetchFunction } from "./client/exchange.ts";
import { isObject, stringifyJson } from "./json.ts";
import { PATHS } from "./paths.ts";
import { DEFAULT_TIMEOUT_MS, HEADERS, MAX_TIMEOUT_MS, PROTOCOL_VERSION } from "./protocol.ts";
import type {
  CallContext,
  CheckResult,
  ErrorMessage,
  Info,
  ResponseMessage,
  TargetKind,
} from "./protocol.ts";
import { retryDelayMs } from "./client/retry.ts";
import { isToken } from "./token.ts";

export { CLIENT_ERROR_CODES, isPackClientError, PackClientError } from "./client/client-error.ts";
export type { ClientErrorCode } from "./client/client-error.ts";
export type { Clock } from "./client/caller-scope.ts";
export type { PackTypes } from "./client/client-types.ts";
export type { FetchFunction } from "./client/exchange.ts";
export type * from "./protocol.ts";

/** How long an answer is waited for after a call's deadline, in milliseconds: the service's own answer is on its way. */
const DEADLINE_SLACK_MS = 2_000;

/** How long `info` and `ready` wait by default, in milliseconds. */
const PROBE_TIMEOUT_MS = 10_000;

export interface PackClientOptions {
  /** Where the service is, its base path included: `http://127.0.0.1:8080`. No query, user name or password. */
  url: string | URL;
  /** What the service takes as `kindgi-pack-token`: the characters `!` to `~` (contract §7). @default none */
  token?: string | undefined;
  /**
   * What sends a request: a pack handler, to call it in this process without a socket, or a function that adds
   * what a platform asks for, such as an `authorization` header.
   * @default the global fetch
   */
  fetch?: FetchFunction | undefined;
  /** Is told of each refusal that is about to be retried, and the wait before that, in milliseconds. @default none */
  onRetry?: ((error: PackClientError, delayMs: number) => void) | undefined;
  /** Test seam: what the time is, and how it passes. @default performance.now and setTimeout */
  clock?: Clock | undefined;
  /** Test seam: what spreads retries, from 0 to below 1. @default Math.random */
  random?: (() => number) | undefined;
}

export interface ProbeOptions {
  /** Most time it may take, in milliseconds, an integer up to 2147483647. @default 10000 */
  timeoutMs?: number | undefined;
  /** Aborts the request; the promise rejects with its reason. @default none */
  signal?: AbortSignal | undefined;
}

interface CallOptions {
  /** The call's deadline, retries included, in milliseconds: an integer up to 2147483647 (contract §1). @default 120000 */
  timeoutMs?: number | undefined;
  /** Aborts the request, whereupon the service cancels the call; the promise rejects with its reason. @default none */
  signal?: AbortSignal | undefined;
  /** W3C trace context for the service's records. @default none */
  traceparent?: string | undefined;
}

export interface InvokeOptions extends CallOptions {
  /** What the handler learns of the call beside its input. Its ids are sent as headers too. */
  ctx: CallContext;
  /** The version to call. @default the pack's one version of the tool */
  version?: string | undefined;
}

/** What a check is called with. A config that may be empty may be left out. */
export type CheckOptions<Config = Record<string, unknown>, Trace = unknown> = CallOptions & {
  trace: Trace;
  /** The run, for the service's records. @default none */
  runId?: string | undefined;
  /** The single call, for the service's records. @default none */
  requestId?: string | undefined;
} & (Record<never, never> extends Config ? { config?: Config | undefined } : { config: Config });

/** What a service says of an answer in its headers; `undefined` where it says nothing. */
interface AnswerMeta {
  durationMs: number | undefined;
  artifactVersion: string | undefined;
}

/** Why a call has no result: the service's words, or the client's own `deadline-exceeded`. */
export interface FailedOutcome extends Omit<ErrorMessage, "v" | "kind">, AnswerMeta {
  ok: false;
}

export type ToolOutcome<Output = unknown> =
  | ({ ok: true; output: Output } & AnswerMeta)
  | FailedOutcome;

/** `ok` says that the check ran; whether it passed is in `result`. */
export type CheckOutcome<Result extends CheckResult = CheckResult> =
  | ({ ok: true; result: Result } & AnswerMeta)
  | FailedOutcome;

/** Whether a service takes calls; if not, why (`draining`, `missing env`, `not ready`). */
export type Readiness =
  | { ready: true }
  | { ready: false; reason: string; missingEnv?: readonly string[] };

export interface PackClient<P extends PackTypes = PackTypes> {
  /**
   * Runs a tool. Whatever running it comes to is an outcome, `ok` or an error code of the protocol.
   *
   * A 503 that is a pack service's own is retried after its `Retry-After` for as long as the deadline leaves time:
   * it proves that the call did not run. Nothing else is retried, since the call may have run.
   *
   * When no answer has come 2 s after the deadline, the request is aborted and the outcome is `deadline-exceeded`, without
   * `durationMs` and `artifactVersion`: whether the tool ran is not known.
   *
   * @throws PackClientError when the request is refused, gets lost, or is answered by something else
   * @throws TypeError when an argument can't be sent
   * @throws the signal's reason
   */
  invoke<Id extends ToolId<P>>(
    toolId: Id,
    input: ToolInput<P, Id>,
    options: InvokeOptions,
  ): Promise<ToolOutcome<ToolOutput<P, Id>>>;
  /** Runs a check over a run's trace. In all else like `invoke`. */
  check<Id extends CheckId<P>>(
    checkId: Id,
    options: CheckOptions<CheckConfig<P, Id>, CheckTrace<P, Id>>,
  ): Promise<CheckOutcome<CheckResultOf<P, Id>>>;
  /** What the pack holds. @throws PackClientError when nobody says so, also for want of time (`timed-out`) */
  info(options?: ProbeOptions): Promise<Info>;
  /** Whether the service takes calls. @throws PackClientError when no pack service answers */
  ready(options?: ProbeOptions): Promise<Readiness>;
}

/**
 * Makes a caller of a pack service, from web standards alone. Its methods need no `this`.
 *
 * @typeParam P the pack's types, so that each tool's input and output have theirs; by default any id and value goes
 * @throws TypeError when an option's value can't be used; never with the token in its message
 */
export function createPackClient<P extends PackTypes = PackTypes>(
  options: PackClientOptions,
): PackClient<P> {
  const service = new Service(options);
  const client: PackClient = {
    invoke: (toolId, input, invokeOptions) => service.invoke(toolId, input, invokeOptions),
    check: (checkId, checkOptions) => service.check(checkId, checkOptions),
    info: (probeOptions) => service.info(probeOptions),
    ready: (probeOptions) => service.ready(probeOptions),
  };
  return client as unknown as PackClient<P>;
}

/** A call as it is sent, the same with every try. */
interface CallRequest extends CallOptions {
  target: TargetKind;
  id: string;
  body: string;
  headers: Record<string, string>;
}

class Service {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #fetch: FetchFunction;
  readonly #onRetry: PackClientOptions["onRetry"];
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(options: PackClientOptions) {
    if (options.token !== undefined && !isToken(options.token)) {
      throw new TypeError("options.token must be a non-empty text of the characters ! to ~");
    }
    this.#url = baseUrl(options.url);
    this.#token = options.token;
    // Not the global itself, which some platforms refuse to call on anything but the global object.
    this.#fetch = options.fetch ?? ((request) => globalThis.fetch(request));
    this.#onRetry = options.onRetry;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  async invoke(toolId: string, input: unknown, options: InvokeOptions): Promise<ToolOutcome> {
    const { ctx, version, ...callOptions } = options;
    const tool = stringifyJson({ id: toolId, version });
    const members = `"tool":${tool},"input":${jsonText("input", input)},"ctx":${jsonText("ctx", ctx)}`;
    return this.#call({
      ...callOptions,
      target: "tool",
      id: toolId,
      body: `{"v":${PROTOCOL_VERSION},"kind":"invoke",${members}}`,
      headers: contextHeaders(ctx),
    }) as Promise<ToolOutcome>;
  }

  async check(checkId: string, options: CheckOptions): Promise<CheckOutcome> {
    const { config = {}, trace, runId, requestId, ...callOptions } = options;
    const check = stringifyJson({ id: checkId });
    const members = `"check":${check},"config":${jsonText("config", config)},"trace":${jsonText("trace", trace)}`;
    return this.#call({
      ...callOptions,
      target: "check",
      id: checkId,
      body: `{"v":${PROTOCOL_VERSION},"kind":"check-invoke",${members}}`,
      headers: { ...header("runId", runId), ...header("requestId", requestId) },
    }) as Promise<CheckOutcome>;
  }

  async info(options: ProbeOptions = {}): Promise<Info> {
    const { body } = await this.#probe(PATHS.info, options);
    const info = readInfo(body);
    if ("problem" in info) throw unexpectedAnswer(this.#describe(PATHS.info), 200, info.problem);
    return info;
  }

  async ready(options: ProbeOptions = {}): Promise<Readiness> {
    try {
      const { body } = await this.#probe(PATHS.ready, options);
      if (isObject(body) && body.status === "ready") return { ready: true };
      throw unexpectedAnswer(this.#describe(PATHS.ready), 200, "its status is not ready");
    } catch (error) {
      if (!(error instanceof PackClientError) || !error.refusal || error.status !== 503)
        throw error;
      const { error: reason, missingEnv } = error.refusal;
      return { ready: false, reason, ...(Array.isArray(missingEnv) ? { missingEnv } : {}) };
    }
  }

  async #call(call: CallRequest): Promise<ToolOutcome | CheckOutcome> {
    const { target, id } = call;
    const timeoutMs = checkTimeoutMs(call.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const headers = { ...call.headers, ...header("traceparent", call.traceparent) };
    const scope = this.#scope(timeoutMs, DEADLINE_SLACK_MS, call.signal);
    try {
      const answer = await this.#trySending(scope, call.body, headers);
      const message = readResponseMessage(answer.body, target);
      if (!("problem" in message)) return outcomeOf(message, answer.headers);
      throw unexpectedAnswer(this.#describe(PATHS.invoke), 200, message.problem);
    } catch (error) {
      if (scope.hasTimedOut) return unansweredOutcome(target, id, timeoutMs);
      throw error;
    } finally {
      scope.close();
    }
  }

  /** Sends a call until it isn't refused with 503, or no time is left for another try. */
  async #trySending(
    scope: CallerScope,
    body: string,
    headers: Record<string, string>,
  ): Promise<Answer> {
    for (let refusals = 0; ; refusals++) {
      const timeLeft = { [HEADERS.timeout]: String(Math.ceil(scope.remainingMs)) };
      const init = { method: "POST", body, headers: { ...CALL_HEADERS, ...headers, ...timeLeft } };
      try {
        return await this.#send(scope, PATHS.invoke, init);
      } catch (error) {
        if (!(error instanceof PackClientError) || !error.retryable) throw error;
        const delayMs = retryDelayMs(error.retryAfterMs, refusals, this.#random());
        if (delayMs >= scope.remainingMs) throw error;
        this.#onRetry?.(error, delayMs);
        await scope.sleep(delayMs);
        if (scope.remainingMs <= 0) throw error;
      }
    }
  }

  async #probe(path: string, { timeoutMs, signal }: ProbeOptions): Promise<Answer> {
    const limitMs = checkTimeoutMs(timeoutMs ?? PROBE_TIMEOUT_MS);
    const scope = this.#scope(limitMs, 0, signal);
    try {
      return await this.#send(scope, path, { method: "GET", headers: {} });
    } catch (error) {
      if (!scope.hasTimedOut) throw error;
      const message = `${this.#describe(path)} was not answered within ${limitMs} ms`;
      throw new PackClientError("timed-out", message, { cause: error });
    } finally {
      scope.close();
    }
  }

  #send(
    scope: CallerScope,
    path: string,
    init: { method: string; body?: string; headers: Record<string, string> },
  ): Promise<Answer> {
    const token = this.#token === undefined ? {} : { [HEADERS.token]: this.#token };
    const request = new Request(this.#url + path, {
      ...init,
      headers: { ...init.headers, ...token },
      // A redirect would hand the token and the call to another place.
      redirect: "manual",
      signal: scope.nextSignal(),
    });
    return exchange(this.#fetch, request, scope);
  }

  #scope(timeoutMs: number, slackMs: number, signal: AbortSignal | undefined): CallerScope {
    return new CallerScope({ clock: this.#clock, timeoutMs, slackMs, signal });
  }

  #describe(path: string): string {
    return `${path === PATHS.invoke ? "POST" : "GET"} ${this.#url}${path}`;
  }
}

const CALL_HEADERS = {
  "content-type": "application/json",
  [HEADERS.protocol]: String(PROTOCOL_VERSION),
};

function baseUrl(given: string | URL): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const { protocol, username, password, search, hash } = url ?? {};
  if (!url || (protocol !== "http:" && protocol !== "https:")) {
    throw new TypeError("options.url must be an http or https URL, such as http://127.0.0.1:8080");
  }
  if (username || password || search || hash) {
    const what = "options.url must have no user name, password, query or fragment";
    throw new TypeError(`${what}; the service's token goes into options.token`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function checkTimeoutMs(timeoutMs: number): number {
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)
    return timeoutMs;
  throw new TypeError(`timeoutMs must be an integer from 1 to ${MAX_TIMEOUT_MS}, not ${timeoutMs}`);
}

function jsonText(name: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = stringifyJson(value);
  } catch (cause) {
    throw new TypeError(`${name} can't be sent: it has no JSON form`, { cause });
  }
  if (text === undefined) throw new TypeError(`${name} can't be sent: it has no JSON form`);
  return text;
}

type IdHeader = "runId" | "requestId" | "traceparent";

function header(name: IdHeader, value: string | undefined): Record<string, string> {
  if (value === undefined) return {};
  if (!isHeaderText(value)) {
    throw new TypeError(`${name} must be printable ASCII, since it travels as a header`);
  }
  return { [HEADERS[name]]: value };
}

/** The ids of a context as headers, where they can be: a service has them from the message. */
function contextHeaders({ runId, requestId }: CallContext): Record<string, string> {
  return {
    ...(isHeaderText(runId) ? header("runId", runId) : {}),
    ...(isHeaderText(requestId) ? header("requestId", requestId) : {}),
  };
}

function isHeaderText(value: unknown): value is string {
  return typeof value === "string" && /^[ -~]+$/.test(value);
}

function outcomeOf(message: ResponseMessage, headers: Headers): ToolOutcome | CheckOutcome {
  const duration = headers.get(HEADERS.duration);
  const meta = {
    durationMs: duration !== null && /^[0-9]+$/.test(duration) ? Number(duration) : undefined,
    artifactVersion: headers.get(HEADERS.artifactVersion) ?? undefined,
  };
  if (message.kind === "result") return { ok: true, output: message.output, ...meta };
  if (message.kind === "check-result") return { ok: true, result: message.result, ...meta };
  const { v: _v, kind: _kind, ...error } = message;
  return { ...error, ok: false, ...meta };
}

/** The outcome of a call whose service has not said anything in time. */
function unansweredOutcome(target: TargetKind, id: string, timeoutMs: number): FailedOutcome {
  return {
    ok: false,
    code: "deadline-exceeded",
    message: `the service has not answered within the deadline of ${timeoutMs} ms; the ${target} may have run`,
    ...(target === "tool" ? { toolId: id } : { checkId: id }),
    durationMs: undefined,
    artifactVersion: undefined,
  };
}
