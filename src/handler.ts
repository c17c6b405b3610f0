import { Admission } from "./admission.ts";
import type { DrainOptions, HandlerState } from "./admission.ts";
import { awaitUnwantedBody } from "./body.ts";
import type { Body, BodyReading, DecodeBody } from "./body.ts";
import { runCall } from "./call.ts";
import { CallScope } from "./call-scope.ts";
import { round } from "./captured.ts";
import { Failure } from "./failure.ts";
import { declaredValues, missingNames, packInfo } from "./info.ts";
import { encodeJson } from "./json.ts";
import { errorMessage, parseMessage } from "./message.ts";
import type { Call } from "./message.ts";
import { findModules, loadModules } from "./modules.ts";
import type { PackModules } from "./modules.ts";
import { readOptions } from "./options.ts";
import type { PackHandlerOptions, Settings } from "./options.ts";
import { bindPack, PackError } from "./pack.ts";
import type { Namespaces, Pack } from "./pack.ts";
import type { PackIndex } from "./pack-index.ts";
import { HEADERS } from "./protocol.ts";
import { Recorder } from "./records.ts";
import { resolveCall } from "./resolve.ts";
import { ServedCall } from "./served-call.ts";
import { thrownCause } from "./thrown.ts";
import { readTimeoutMs } from "./timeout.ts";
import { admit, bodyTooLarge } from "./transport.ts";
import type { RefusedRequest, TransportOptions } from "./transport.ts";
import type { SchemaCompiler } from "./validation.ts";

/** A pack service as a fetch handler. It never rejects and needs no `this`. */
export interface PackHandler {
  (request: Request): Promise<Response>;
  /** Resolves once every module is loaded and bound; rejects with a {@link PackError} when one can't be. */
  readonly ready: Promise<void>;
  readonly state: HandlerState;
  /** Calls that have a slot now. */
  readonly inFlight: number;
  /**
   * Refuses calls with 503 from now on and resolves when none is running. Those that still run after `graceMs` are
   * cancelled and answered so. A later call changes nothing and gets the same promise.
   */
  drain(options?: DrainOptions): Promise<void>;
}

/** What differs between a pack that is compiled when it is loaded and one that was before. */
interface HandlerParts {
  /** How the service comes by the validators of its schemas: asked once, when the modules are there. */
  createCompiler: () => SchemaCompiler;
  /** Whether a timer may end with the request that set it. @default false */
  hasTimersOfRequests?: boolean;
}

/** Makes the handler of a pack whose index was checked, and whose schemas a compiler of the caller's choice takes. */
export function createHandler(
  index: PackIndex,
  modules: PackModules,
  options: PackHandlerOptions,
  parts: HandlerParts,
): PackHandler {
  const settings = readOptions(options);
  const service = new PackService(index, settings, parts);
  const ready = service.load(index, modules);
  return Object.defineProperties((request: Request) => service.fetch(request), {
    ready: { value: ready },
    state: { get: () => service.state },
    inFlight: { get: () => service.inFlight },
    drain: { value: (drainOptions?: DrainOptions) => service.drain(drainOptions) },
  }) as PackHandler;
}

const JSON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
} as const;

const STATUS_BODIES = { health: '{"status":"ok"}', ready: '{"status":"ready"}' } as const;

const MOUNT_FIRST = "mount the pack handler ahead of any body parser";
const BODY_USED = `the request's body was read before it came here; ${MOUNT_FIRST}`;
/** What a parser has read is, on some hosts, an empty body to whoever comes after it. */
const BODY_EMPTY = `the body is empty; if the caller sent one, ${MOUNT_FIRST}`;

/** How the web's streams tell that somebody else reads a body, or has read it. */
function isUnusableBody(reason: unknown): boolean {
  return reason instanceof TypeError;
}

class PackService {
  readonly #artifactVersion: string;
  readonly #settings: Settings;
  readonly #createCompiler: HandlerParts["createCompiler"];
  readonly #recorder: Recorder;
  readonly #admission: Admission;
  readonly #transport: TransportOptions;
  readonly #info: string;
  #pack: Pack | undefined;

  constructor(index: PackIndex, settings: Settings, parts: HandlerParts) {
    const { createCompiler, hasTimersOfRequests = false } = parts;
    const { token, env, envCheck, maxConcurrency, maxBodyBytes, basePath } = settings;
    const missingEnv = missingNames(index, env);
    this.#artifactVersion = index.artifactVersion;
    this.#settings = settings;
    this.#createCompiler = createCompiler;
    this.#recorder = new Recorder({
      onRecord: settings.onRecord,
      level: settings.logLevel,
      levels: settings.logLevels,
      secrets: [...(token === undefined ? [] : [token]), ...declaredValues(index, env)],
    });
    const strict = envCheck === "strict";
    this.#admission = new Admission({
      maxConcurrency,
      missingEnv: strict ? missingEnv : [],
      hasTimersOfRequests,
    });
    this.#transport = { token, maxBodyBytes, basePath, gate: this.#admission };
    this.#info = encodeJson(packInfo(index, missingEnv));
    if (missingEnv.length > 0) {
      const message = `Required environment names are unset or empty: ${missingEnv.join(", ")}`;
      this.#recorder.lifecycle(strict ? "error" : "warn", "missing-env", message, {
        names: missingEnv,
      });
    }
  }

  get state(): HandlerState {
    return this.#admission.state;
  }

  get inFlight(): number {
    return this.#admission.inFlight;
  }

  /** Binds the pack: at once if no module has to be imported, else when all are. Only the latter rejects. */
  load(index: PackIndex, modules: PackModules): Promise<void> {
    const problems: string[] = [];
    const sources = findModules(index, modules, problems);
    if (sources.loaders.size === 0) {
      this.#bind(index, sources.loaded, problems);
      return Promise.resolve();
    }
    const ready = loadModules(sources, problems).then((loaded) =>
      this.#bindLoaded(index, loaded, problems),
    );
    // Whoever doesn't await `ready` learns of a failure from /readyz and the record.
    ready.catch(() => {});
    return ready;
  }

  #bindLoaded(index: PackIndex, modules: Namespaces, problems: string[]): void {
    try {
      this.#bind(index, modules, problems);
    } catch (error) {
      this.#admission.settle("failed");
      this.#recorder.fault("error", "boot-failed", "The pack can't be served", { problems });
      throw error;
    }
  }

  #bind(index: PackIndex, modules: Namespaces, problems: string[]): void {
    const pack = bindPack(index, modules, this.#createCompiler(), problems);
    if (problems.length > 0) throw new PackError(problems);
    const { annotations, warnings } = pack;
    if (annotations.length > 0) {
      const message = "Schema keywords and formats that are not known and count as annotations";
      this.#recorder.lifecycle("info", "schema-annotations", message, { names: annotations });
    }
    if (warnings.length > 0) {
      this.#recorder.lifecycle("warn", "pack-warnings", "The pack has flaws", {
        problems: warnings,
      });
    }
    this.#pack = pack;
    this.#admission.settle("ready");
  }

  drain(options?: DrainOptions): Promise<void> {
    if (!this.#admission.isClosing) {
      const { inFlight } = this;
      this.#recorder.lifecycle("info", "draining", "Draining: calls are refused", { inFlight });
    }
    return this.#admission.drain(options);
  }

  async fetch(request: Request): Promise<Response> {
    try {
      const startedAt = this.#settings.now();
      const route = admit(request, this.#transport);
      if (typeof route !== "string") return await this.#refuse(request, route);
      if (route === "invoke") return await this.#invoke(request, startedAt);
      return this.#respond(request, 200, route === "info" ? this.#info : STATUS_BODIES[route]);
    } catch (thrown) {
      const members = { cause: thrownCause(thrown) };
      this.#recorder.fault("error", "internal-error", "The service itself failed", members);
      return this.#respond(request, 500, encodeJson({ error: "internal error" }));
    }
  }

  async #invoke(request: Request, startedAt: number): Promise<Response> {
    const { now, defaultTimeoutMs, onDisconnect } = this.#settings;
    const timeoutMs = readTimeoutMs(request.headers.get(HEADERS.timeout), defaultTimeoutMs);
    const scope = new CallScope({ now, startedAt, timeoutMs });
    const unwatch = onDisconnect(request, () => scope.cancel("the caller closed the connection"));
    const served = new ServedCall(request, scope, this.#recorder);
    this.#admission.enter(scope);
    try {
      const outcome = await scope.race(this.#run(served));
      if (scope.interruption) served.reading?.discard();
      if (outcome !== undefined) return this.#answer(served, outcome);
    } finally {
      unwatch();
      scope.close();
      this.#admission.leave(scope);
    }
    return await this.#refuse(request, bodyTooLarge(this.#settings.maxBodyBytes));
  }

  /** Reads and runs a call: its result's message, or why there is none; `undefined` when its body is too large. */
  async #run(served: ServedCall): Promise<string | Failure | undefined> {
    const { request, scope } = served;
    const reading = this.#openBody(request);
    if (reading instanceof Failure) return reading;
    served.reading = reading;
    let body: Body | undefined;
    try {
      body = await reading.body;
    } catch (reason) {
      if (isUnusableBody(reason)) return new Failure("malformed-message", BODY_USED);
      return new Failure("cancelled", "the caller's body broke off");
    }
    if (body === undefined || scope.interruption) return scope.interruption;
    served.reading = undefined;
    const message = readMessage(body, this.#settings.decodeBody);
    if (message instanceof Failure) {
      served.subject = message.details.subject;
      return message;
    }
    served.accept(message);
    const bound = resolveCall(this.#pack as Pack, message);
    if (bound instanceof Failure) return bound;
    const outcome = await runCall(bound, served, this.#settings.isExotic);
    if (scope.interruption) this.#recordLateFinish(served);
    return outcome;
  }

  #openBody(request: Request): BodyReading | Failure {
    try {
      if (!request.bodyUsed) return this.#settings.readBody(request, this.#settings.maxBodyBytes);
    } catch (reason) {
      if (!isUnusableBody(reason)) throw reason;
    }
    return new Failure("malformed-message", BODY_USED);
  }

  /** The answer to a call, and its one record. */
  #answer({ request, scope, subject, ids }: ServedCall, outcome: string | Failure): Response {
    const durationMs = round(scope.elapsedMs);
    const failed = outcome instanceof Failure;
    const finished = {
      target: subject?.target,
      id: subject?.id,
      outcome: failed ? outcome.code : ("ok" as const),
      durationMs,
    };
    this.#recorder.call(finished, ids);
    const text = failed ? errorMessage(outcome, subject) : outcome;
    // Without a spread, behind which V8 adds each member the slow way.
    return this.#respond(request, 200, text, {
      "content-type": JSON_HEADERS["content-type"],
      "cache-control": JSON_HEADERS["cache-control"],
      "kindgi-duration-ms": String(durationMs),
      "kindgi-artifact-version": this.#artifactVersion,
    });
  }

  #recordLateFinish({ scope, ids }: ServedCall): void {
    const afterMs = round(scope.elapsedMs);
    const message = `Pack code settled after ${afterMs} ms, when its call had been answered`;
    this.#recorder.note("warn", "handler-finished-late", message, ids, { afterMs });
  }

  async #refuse(request: Request, { status, body, headers }: RefusedRequest): Promise<Response> {
    if (this.#admission.isClosing) {
      await awaitUnwantedBody(request, this.#settings.readBody, this.#settings.maxBodyBytes);
    }
    return this.#respond(request, status, encodeJson(body), { ...JSON_HEADERS, ...headers });
  }

  #respond(
    request: Request,
    status: number,
    text: string,
    headers: Readonly<Record<string, string>> = JSON_HEADERS,
  ): Response {
    return new this.#settings.Response(request.method === "HEAD" ? null : text, {
      status,
      headers: this.#admission.isClosing ? { ...headers, connection: "close" } : headers,
    });
  }
}

function readMessage(body: Body, decodeBody: DecodeBody): Call | Failure {
  if (body.length === 0) return new Failure("malformed-message", BODY_EMPTY);
  const text = typeof body === "string" ? body : decodeBody(body);
  return text === undefined
    ? new Failure("malformed-message", "the body is not valid UTF-8")
    : parseMessage(text);
}
