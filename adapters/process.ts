import { encodeUtf8, max, min } from "../src/captured.ts";
import { createHandler } from "../src/handler.ts";
import type { PackHandler } from "../src/handler.ts";
import { declaredNames, declaredValues } from "../src/info.ts";
import { encodeJson } from "../src/json.ts";
import { isPackError } from "../src/pack.ts";
import { DRAIN_GRACE_MS } from "../src/protocol.ts";
import { Recorder } from "../src/records.ts";
import type { LogRecord } from "../src/records.ts";
import { thrownCause, thrownMessage } from "../src/thrown.ts";
import { createSchemaCompiler } from "../src/validation.ts";
import packageJson from "../package.json" with { type: "json" };
import { helpText, parseConfig, TOKEN_NAME } from "./config.ts";
import type { Config } from "./config.ts";
import { undeclaredNames } from "./environment.ts";
import type { Fault, Host, HostOutput, HostServer, StopSignal } from "./host.ts";
import { findPackFiles } from "./pack-files.ts";
import type { PackFiles } from "./pack-files.ts";
import { prettyRecord } from "./pretty.ts";
import { RecordWriter } from "./record-writer.ts";

/** A platform kills 10 s after its SIGTERM; by then everything must be over. */
const SHUTDOWN_MS = 9_000;
/** Time for the last answers, and then for the last records, when calls have taken the rest. */
const LAST_MS = 500;
const FLUSH_MS = 5_000;
/** Nothing else runs meanwhile. */
const FLUSH_SYNC_MS = 1_000;
/** A second Ctrl-C sooner than this is the same one, delivered twice. */
const SECOND_INTERRUPT_MS = 300;
const INTERRUPTED = 130;
const PRINT_RETRY_MS = 10;

/**
 * Runs a pack service as contract §7 has it, from its command line to its exit code. Resolves when it listens or has
 * told the host to exit; never rejects.
 */
export async function runProcess(host: Host): Promise<void> {
  const { variables, problems } = readEnvironment(host);
  const parsed = parseConfig(host.argv, variables);
  if (parsed.ask !== "serve") {
    await print(host, parsed.ask === "help" ? helpText() : `${packageJson.version}\n`);
    return host.exit(0);
  }
  const service = new ServiceProcess(host, parsed.config, variables);
  await service.run([...problems, ...parsed.problems]);
}

interface ReadEnvironment {
  variables: Record<string, string>;
  problems: string[];
}

/** A runtime may refuse it, as Deno does without its permission. */
function readEnvironment({ environment }: Host): ReadEnvironment {
  try {
    return { variables: environment.all(), problems: [] };
  } catch (error) {
    return { variables: {}, problems: [`Cannot read the environment: ${thrownMessage(error)}`] };
  }
}

async function print(host: Host, text: string): Promise<void> {
  const end = host.now() + FLUSH_MS;
  let rest = encodeUtf8(text);
  try {
    while (rest.length > 0 && host.now() < end) {
      const taken = host.stdout.write(rest);
      rest = rest.subarray(taken);
      if (taken === 0) await host.sleep(PRINT_RETRY_MS);
    }
  } catch {
    // The reader, such as head, has seen enough.
  }
}

class ServiceProcess {
  readonly #host: Host;
  readonly #config: Config;
  readonly #writer: RecordWriter;
  #recorder: Recorder;
  #handler: PackHandler | undefined;
  #server: HostServer | undefined;
  #exitCode = 0;
  #isStopping = false;
  #isExiting = false;
  #firstInterruptAt: number | undefined;

  constructor(host: Host, config: Config, environment: Readonly<Record<string, string>>) {
    this.#host = host;
    this.#config = config;
    this.#writer = new RecordWriter({
      host,
      format: recordFormat(config, host.stderr, environment),
      onDropped: (count) => this.#recordDropped(count),
    });
    this.#recorder = this.#createRecorder([]);
  }

  /** Boots the service, unless its configuration has problems. */
  async run(problems: readonly string[]): Promise<void> {
    if (problems.length > 0) return this.#fail("config-invalid", problems);
    this.#host.environment.delete(TOKEN_NAME);
    this.#host.stayAlive();
    this.#host.onSignal((signal) => this.#onSignal(signal));
    this.#host.onFault((fault) => this.#onFault(fault));
    this.#host.onExit((code) => this.#onExit(code));
    try {
      await this.#boot();
    } catch (error) {
      await this.#fail("boot-failed", isPackError(error) ? error.problems : [thrownMessage(error)]);
    }
  }

  async #boot(): Promise<void> {
    const files = await findPackFiles(this.#host, this.#config);
    if ("problems" in files) return this.#fail("boot-failed", files.problems);
    this.#dropUndeclared(files);
    this.#host.confine?.(files.readablePaths);
    const handler = this.#createHandler(files);
    this.#handler = handler;
    try {
      await handler.ready;
    } catch {
      // The handler has recorded why.
      if (!this.#isStopping) await this.#exit(1);
      return;
    }
    await this.#listen(handler, files);
  }

  #dropUndeclared({ index }: PackFiles): void {
    const { environment } = this.#host;
    const isOn = this.#config.envFilter === "on";
    const names = isOn ? undeclaredNames(environment, declaredNames(index)) : [];
    for (const name of names) environment.delete(name);
    this.#recorder = this.#createRecorder(declaredValues(index, environment.all()));
    if (names.length === 0) return;
    const message = "Environment names that the index doesn't declare are hidden from pack code";
    this.#recorder.lifecycle("warn", "env-dropped", message, { names });
  }

  #createHandler({ index, modules }: PackFiles): PackHandler {
    const { token, envCheck, maxConcurrency, logLevel, logLevels } = this.#config;
    const options = {
      ...this.#host.seams,
      token,
      env: this.#host.environment.all(),
      envCheck,
      maxConcurrency,
      logLevel,
      logLevels,
      onRecord: (record: LogRecord) => this.#writer.write(record),
    };
    return createHandler(index, modules, options, { createCompiler: createSchemaCompiler });
  }

  async #listen(handler: PackHandler, { index }: PackFiles): Promise<void> {
    if (this.#isStopping) return;
    const { host: hostname, port } = this.#config;
    let server: HostServer;
    try {
      server = await this.#host.serve({ handler, hostname, port });
    } catch (error) {
      const place = `${hostname ?? "every interface"}, port ${port}`;
      const ways = "PORT and --host name another address";
      const problem = `Cannot listen on ${place}: ${thrownMessage(error)}; ${ways}`;
      return this.#fail("boot-failed", [problem]);
    }
    if (this.#isStopping) return;
    this.#server = server;
    const { packId, artifactVersion } = index;
    const members = { port: server.port, packId, artifactVersion, host: server.hostname };
    const message = `Serving ${packId} on ${server.hostname}, port ${server.port}`;
    this.#recorder.lifecycle("info", "listening", message, members);
  }

  #onSignal(signal: StopSignal): void {
    if (signal === "SIGINT" && this.#isSecondInterrupt()) return this.#stopAtOnce();
    void this.#stop();
  }

  #isSecondInterrupt(): boolean {
    const now = this.#host.now();
    this.#firstInterruptAt ??= now;
    return now - this.#firstInterruptAt >= SECOND_INTERRUPT_MS;
  }

  #onFault({ kind, error }: Fault): void {
    const message =
      kind === "uncaught-exception"
        ? "Pack code threw outside a call; the service stops"
        : "A promise of pack code was rejected and nothing handled it";
    this.#recorder.fault("error", "pack-fault", message, {
      fault: kind,
      cause: thrownCause(error),
    });
    if (kind === "unhandled-rejection") return;
    this.#exitCode = 1;
    if (this.#server) void this.#stop();
    else
      void this.#fail("boot-failed", [
        `Pack code threw while it was loaded: ${thrownMessage(error)}`,
      ]);
  }

  /** Ends the service when all that is under way is over, before it listens at once. */
  async #stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const end = this.#host.now() + SHUTDOWN_MS;
    if (this.#handler && this.#server) {
      await this.#handler.drain({ graceMs: DRAIN_GRACE_MS });
      await this.#close(this.#server, max(LAST_MS, end - this.#host.now()));
    }
    this.#recorder.lifecycle("info", "stopped", "Stopped");
    await this.#exit(this.#exitCode, max(LAST_MS, min(FLUSH_MS, end - this.#host.now())));
  }

  async #close(server: HostServer, limitMs: number): Promise<void> {
    try {
      await server.close(limitMs);
    } catch {
      // The process ends all the same.
    }
  }

  #stopAtOnce(): void {
    const { inFlight = 0 } = this.#handler ?? {};
    this.#recorder.lifecycle("warn", "stopped", "Stopped at once by a second SIGINT", { inFlight });
    this.#writer.flushSync(FLUSH_SYNC_MS);
    this.#exitNow(INTERRUPTED);
  }

  /** Pack code may end the process, too: that leaves a record, and no code that looks like success. */
  #onExit(code: number): number {
    if (this.#isExiting) return code;
    this.#isExiting = true;
    const message = `Pack code ended the process with exit code ${code}`;
    const { inFlight = 0 } = this.#handler ?? {};
    if (this.#server)
      this.#recorder.lifecycle("error", "pack-fault", message, {
        fault: "exit",
        exitCode: code,
        inFlight,
      });
    else this.#recorder.lifecycle("error", "boot-failed", message, { problems: [message] });
    this.#writer.flushSync(FLUSH_SYNC_MS);
    return this.#isStopping ? this.#exitCode : code || 1;
  }

  async #fail(event: "config-invalid" | "boot-failed", problems: readonly string[]): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const what =
      event === "config-invalid" ? "The configuration can't be used" : "The pack can't be served";
    this.#recorder.fault("error", event, what, { problems });
    await this.#exit(1);
  }

  async #exit(code: number, flushMs = FLUSH_MS): Promise<void> {
    this.#isStopping = true;
    await this.#writer.flush(flushMs);
    this.#exitNow(code);
  }

  #exitNow(code: number): void {
    this.#isExiting = true;
    this.#host.exit(code);
  }

  #createRecorder(secrets: readonly string[]): Recorder {
    const { token, logLevel, logLevels } = this.#config;
    return new Recorder({
      onRecord: (record) => this.#writer.write(record),
      level: logLevel,
      levels: logLevels,
      secrets: token === undefined ? secrets : [token, ...secrets],
    });
  }

  #recordDropped(count: number): void {
    const message = `Records were dropped, since stderr was not read in time: ${count}`;
    this.#recorder.lifecycle("warn", "records-dropped", message, { count });
  }
}

function recordFormat(
  { logFormat }: Config,
  { isTerminal }: HostOutput,
  environment: Readonly<Record<string, string>>,
): (record: LogRecord) => string {
  const isPretty = logFormat === "pretty" || (logFormat === "auto" && isTerminal);
  if (!isPretty) return (record) => `${encodeJson(record)}\n`;
  const colour = isTerminal && !environment.NO_COLOR;
  return (record) => prettyRecord(record, { colour });
}
