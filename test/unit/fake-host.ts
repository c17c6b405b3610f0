import type { Fault, Host, HostServer, ServeOptions, StopSignal } from "../../adapters/host.ts";

type Module = object | (() => Promise<unknown>);

interface FakeOptions {
  argv?: string[];
  environment?: Record<string, string>;
  /** Path → content. */
  files?: Record<string, string>;
  /** Path → what importing it gives, or a function that does. Each is a file, too. */
  modules?: Record<string, Module>;
  serve?: (options: ServeOptions) => Promise<HostServer>;
  confine?: (paths: readonly string[]) => void;
}

export const TOKEN = "not-the-real-token";

export const INDEX = {
  v: 1,
  packId: "fake",
  packVersion: "1.0.0",
  artifactVersion: "sha-1",
  tools: [{ id: "greet", input: {}, output: {}, modulePath: "greet.mjs" }],
  guardrails: [],
  env: { required: [] as string[], optional: ["DECLARED"] },
};

/** A host without a process. It serves no port: `call` asks the handler. */
export class FakeHost implements Host {
  readonly argv: readonly string[];
  readonly variables: Record<string, string>;
  readonly events: string[] = [];
  readonly exited: Promise<number>;
  readonly seams = {};
  readonly confine?: (paths: readonly string[]) => void;
  clockMs = 0;
  written = "";
  printed = "";
  closeLimitMs: number | undefined;
  readonly #options: FakeOptions;
  readonly #waiting = new Set<() => void>();
  #handler: ServeOptions["handler"] | undefined;
  #onSignal: (signal: StopSignal) => void = () => {};
  #onFault: (fault: Fault) => void = () => {};
  #onExit: (code: number) => number = (code) => code;
  #resolveExit!: (code: number) => void;

  constructor(options: FakeOptions = {}) {
    this.#options = {
      files: { "/pack/index.json": JSON.stringify(INDEX) },
      modules: { "/pack/greet.mjs": { default: () => "hello" } },
      ...options,
    };
    this.argv = options.argv ?? ["--index", "/pack/index.json"];
    this.variables = options.environment ?? { KINDGI_PACK_SERVICE_TOKEN: TOKEN };
    if (options.confine) this.confine = options.confine;
    this.exited = new Promise((resolve) => {
      this.#resolveExit = resolve;
    });
  }

  readonly environment = {
    all: () => ({ ...this.variables }),
    delete: (name: string) => {
      this.events.push(`delete ${name}`);
      delete this.variables[name];
    },
    ignoresCase: false,
    runtimeNames: [],
  };

  readonly stdout = {
    isTerminal: false,
    write: (bytes: Uint8Array) => {
      this.printed += new TextDecoder().decode(bytes);
      return bytes.length;
    },
    isMidLine: () => false,
    isHolding: () => false,
  };

  readonly stderr = {
    isTerminal: false,
    write: (bytes: Uint8Array) => {
      this.written += new TextDecoder().decode(bytes);
      for (const look of this.#waiting) look();
      return bytes.length;
    },
    isMidLine: () => false,
    isHolding: () => false,
  };

  readonly files = {
    readText: async (path: string) => {
      this.events.push(`read ${path}`);
      const text = this.#options.files?.[path];
      if (text === undefined) throw new Error(`no such file: ${path}`);
      return text;
    },
    isFile: (path: string) => path in (this.#options.modules ?? {}),
  };

  onSignal(listener: (signal: StopSignal) => void): void {
    this.events.push("listen for signals");
    this.#onSignal = listener;
  }

  onFault(listener: (fault: Fault) => void): void {
    this.events.push("listen for faults");
    this.#onFault = listener;
  }

  onExit(listener: (code: number) => number): void {
    this.#onExit = listener;
  }

  exit(code: number): void {
    this.#resolveExit(this.#onExit(code));
  }

  async import(path: string): Promise<unknown> {
    this.events.push(`import ${path}`);
    const module = this.#options.modules?.[path];
    if (module === undefined) throw new Error(`there is no ${path}`);
    return typeof module === "function" ? (module as () => Promise<unknown>)() : module;
  }

  async serve(options: ServeOptions): Promise<HostServer> {
    this.events.push(`serve ${options.hostname ?? "everywhere"} ${options.port}`);
    if (this.#options.serve) return this.#options.serve(options);
    this.#handler = options.handler;
    const close = async (limitMs: number) => {
      this.events.push("close");
      this.closeLimitMs = limitMs;
    };
    return { port: 4321, hostname: "::", close };
  }

  afterTurn(callback: () => void): void {
    setImmediate(callback);
  }

  stayAlive(): void {
    this.events.push("stay alive");
  }

  now(): number {
    return this.clockMs;
  }

  async sleep(ms: number): Promise<void> {
    this.clockMs += ms;
  }

  sleepSync(ms: number): void {
    this.clockMs += ms;
  }

  signal(name: StopSignal): void {
    this.#onSignal(name);
  }

  fault(kind: Fault["kind"], error: unknown): void {
    this.#onFault({ kind, error });
  }

  get records(): Record<string, unknown>[] {
    return this.written
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  get kinds(): unknown[] {
    return this.records.map((record) => record.kind);
  }

  /** Resolves with the first record of a kind. */
  record(kind: string): Promise<Record<string, unknown>> {
    return new Promise((resolve) => {
      const look = () => {
        const record = this.records.find((candidate) => candidate.kind === kind);
        if (!record) return;
        this.#waiting.delete(look);
        resolve(record);
      };
      this.#waiting.add(look);
      look();
    });
  }

  ask(path: string): Promise<Response> {
    return this.#answer(new Request(`http://pack${path}`));
  }

  call(tool: string, input: unknown = {}): Promise<Response> {
    const message = {
      v: 2,
      kind: "invoke",
      tool: { id: tool },
      input,
      ctx: { tenantId: "t", runId: "r" },
    };
    return this.#answer(
      new Request("http://pack/v1/invoke", {
        method: "POST",
        headers: { "kindgi-pack-token": TOKEN, "content-type": "application/json" },
        body: JSON.stringify(message),
      }),
    );
  }

  #answer(request: Request): Promise<Response> {
    if (!this.#handler) throw new Error("the process doesn't serve");
    return this.#handler(request);
  }
}
