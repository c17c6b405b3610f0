import { describe, expect, test } from "vitest";
import { runProcess } from "../../adapters/process.ts";
import packageJson from "../../package.json" with { type: "json" };
import { FakeHost, INDEX, TOKEN } from "./fake-host.ts";

/** Resolves when the loop has gone on, so that what is due has happened. */
const turn = () => new Promise(setImmediate);

function withIndex(change: object, more: Record<string, string> = {}) {
  return { "/pack/index.json": JSON.stringify({ ...INDEX, ...change }), ...more };
}

const tool = (id: string, input: unknown = {}) => ({
  id,
  input,
  output: {},
  modulePath: `${id}.mjs`,
});

async function started(...[options]: ConstructorParameters<typeof FakeHost>): Promise<FakeHost> {
  const host = new FakeHost(options);
  await runProcess(host);
  await host.record("listening");
  return host;
}

async function failed(...[options]: ConstructorParameters<typeof FakeHost>) {
  const host = new FakeHost(options);
  await runProcess(host);
  expect(await host.exited).toBe(1);
  const [record] = host.records.slice(-1);
  return { host, kind: record?.kind, problems: record?.problems as string[] };
}

/** A tool that runs until it is told to go on. */
function held() {
  let release!: (output: string) => void;
  let enter!: () => void;
  const output = new Promise<string>((resolve) => (release = resolve));
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const handler = () => {
    enter();
    return output;
  };
  return { modules: { "/pack/greet.mjs": { default: handler } }, entered, release };
}

describe("the order of a start (§7)", () => {
  test("is configuration, token, index, environment, import, listen", async () => {
    const environment = { KINDGI_PACK_SERVICE_TOKEN: TOKEN, DECLARED: "1", OTHER: "2", PORT: "0" };
    const confine = (paths: readonly string[]) => host.events.push(`confine to ${paths.join(" ")}`);
    const host: FakeHost = new FakeHost({ environment, confine });
    await runProcess(host);
    expect(host.events).toEqual([
      "delete KINDGI_PACK_SERVICE_TOKEN",
      "stay alive",
      "listen for signals",
      "listen for faults",
      "read /pack/index.json",
      "delete OTHER",
      "confine to /pack/index.json /pack",
      "import /pack/greet.mjs",
      "serve everywhere 0",
    ]);
    await host.record("listening");
    expect(host.kinds).toEqual(["env-dropped", "listening"]);
  });

  test("`listening` says what is served and where", async () => {
    const host = await started();
    const record = { packId: "fake", artifactVersion: "sha-1", port: 4321, host: "::" };
    expect(await host.record("listening")).toMatchObject({
      event: "listening",
      level: "info",
      ...record,
    });
    const answer = await host.call("greet");
    expect(await answer.json()).toEqual({ v: 2, kind: "result", output: "hello" });
  });

  test("--host is where it listens", async () => {
    const host = await started({
      argv: ["serve", "--index", "/pack/index.json", "--host", "127.0.0.1"],
    });
    expect(host.events).toContain("serve 127.0.0.1 8080");
  });

  test("--help and --version print to stdout and exit with 0, whatever else is wrong", async () => {
    for (const [flag, text] of [
      ["--help", "Usage: pack-handler"],
      ["--version", `${packageJson.version}\n`],
    ] as const) {
      const host = new FakeHost({ argv: ["--nope", flag], environment: {} });
      await runProcess(host);
      expect(await host.exited).toBe(0);
      expect(host.printed).toContain(text);
      expect(host.written).toBe("");
    }
  });

  test("a reader of the help that has seen enough is no fault", async () => {
    const host = new FakeHost({ argv: ["--help"] });
    host.stdout.write = () => {
      throw new Error("EPIPE");
    };
    await runProcess(host);
    expect(await host.exited).toBe(0);
  });
});

describe("what keeps it from starting (§7)", () => {
  test("a configuration with problems: all of them, and nothing is read", async () => {
    const { host, kind, problems } = await failed({ argv: ["--nope"], environment: { PORT: "x" } });
    expect(kind).toBe("config-invalid");
    expect(problems).toHaveLength(3);
    expect(host.events).toEqual([]);
  });

  test("an environment that can't be read", async () => {
    const host = new FakeHost();
    host.environment.all = () => {
      throw new Error("no permission");
    };
    await runProcess(host);
    expect(await host.exited).toBe(1);
    const [record] = host.records;
    expect(record).toMatchObject({ kind: "config-invalid" });
    expect(record?.problems).toContain("Cannot read the environment: no permission");
  });

  test("a token that stands in another setting is masked", async () => {
    const environment = { KINDGI_PACK_SERVICE_TOKEN: TOKEN, PORT: TOKEN };
    const { host } = await failed({ environment });
    expect(host.written).not.toContain(TOKEN);
  });

  test.each([
    ["is not there", {}],
    ["is not JSON", { "/pack/index.json": "{" }],
  ])("an index that %s", async (_, files) => {
    const { kind, problems } = await failed({ files });
    expect(kind).toBe("boot-failed");
    expect(problems).toEqual([
      expect.stringMatching(
        /^Cannot read the pack index \/pack\/index\.json: .*; "pack-handler index" writes it/,
      ),
    ]);
  });

  test("an index with problems", async () => {
    const { kind, problems } = await failed({
      files: withIndex({ packId: "", artifactVersion: 1 }),
    });
    expect(kind).toBe("boot-failed");
    expect(problems).toHaveLength(2);
  });

  test("modules that are missing or can't be imported, and broken schemas: all at once, in one record", async () => {
    const { host, problems } = await failed({
      files: withIndex({
        tools: [tool("absent"), tool("throws"), tool("schema", { type: "dict" })],
      }),
      modules: {
        "/pack/throws.mjs": () => Promise.reject(new Error("boom")),
        "/pack/schema.mjs": { default: () => 1 },
      },
    });
    expect(problems).toContain("Missing module: absent.mjs");
    expect(problems).toContain("Cannot import throws.mjs: boom");
    expect(problems.some((problem) => problem.includes("dict"))).toBe(true);
    expect(host.kinds.filter((kind) => kind === "boot-failed")).toHaveLength(1);
  });

  test("an address that can't be bound", async () => {
    const { kind, problems } = await failed({
      serve: () => Promise.reject(new Error("address in use")),
    });
    expect(kind).toBe("boot-failed");
    expect(problems).toEqual([
      expect.stringMatching(
        /^Cannot listen on .*port 8080: address in use; PORT and --host name another address$/,
      ),
    ]);
  });

  test("a module that ends the process", async () => {
    const host: FakeHost = new FakeHost({
      modules: { "/pack/greet.mjs": () => new Promise(() => host.exit(0)) },
    });
    void runProcess(host);
    expect(await host.exited).toBe(1);
    expect(host.records.at(-1)).toMatchObject({
      kind: "boot-failed",
      problems: [expect.stringContaining("exit code 0")],
    });
  });
});

describe("where modules are found (§7)", () => {
  const modules = { "/modules/sub/greet.mjs": { default: () => "from the root" } };
  const tools = [{ id: "greet", input: {}, output: {}, modulePath: "./src/../src/greet.ts" }];

  function argv(map: unknown) {
    const files = withIndex({ tools }, { "/map.json": JSON.stringify(map) });
    const flags = [
      "--index",
      "/pack/index.json",
      "--module-root",
      "/modules",
      "--bundle-map",
      "/map.json",
    ];
    return { argv: flags, files, modules };
  }

  test.each(["src/greet.ts", "./src/greet.ts"])("a bundle map's %s", async (source) => {
    const host = await started(argv({ [source]: "./sub/greet.mjs" }));
    expect(await (await host.call("greet")).json()).toMatchObject({ output: "from the root" });
  });

  test("a bundle that is missing is a missing module", async () => {
    const { problems } = await failed(argv({ "src/greet.ts": "gone.mjs" }));
    expect(problems).toEqual(["Missing module: src/greet.ts (bundle gone.mjs)"]);
  });

  test.each([
    "../pack/greet.mjs",
    "/pack/greet.mjs",
    "sub/../../x.mjs",
    "..",
    ".",
    "",
    "a\\b",
    7,
    null,
  ])("a bundle map leads to no file outside the module root: %j", async (bundle) => {
    const { problems } = await failed(argv({ "src/greet.ts": bundle }));
    expect(problems).toEqual([expect.stringContaining("must be a path inside the module root")]);
  });

  test("a bundle map that is none", async () => {
    expect((await failed(argv(["a"]))).problems).toEqual([
      expect.stringContaining("not a JSON object"),
    ]);
    const options = { ...argv({}), files: withIndex({ tools }) };
    expect((await failed(options)).problems).toEqual([
      expect.stringContaining("Cannot read the bundle map"),
    ]);
  });
});

describe("the environment (§7)", () => {
  test("keeps declared and platform names; dropped names, not values, go into one record", async () => {
    const environment = {
      KINDGI_PACK_SERVICE_TOKEN: TOKEN,
      DECLARED: "a",
      PATH: "/bin",
      B: "secret-b",
      A: "secret-a",
    };
    const host = await started({ environment });
    expect(host.variables).toEqual({ DECLARED: "a", PATH: "/bin" });
    expect(await host.record("env-dropped")).toMatchObject({ level: "warn", names: ["A", "B"] });
    expect(host.written).not.toContain("secret-");
  });

  test("with the filter off only the token goes", async () => {
    const environment = {
      KINDGI_PACK_SERVICE_TOKEN: TOKEN,
      KINDGI_PACK_ENV_FILTER: "off",
      OTHER: "1",
    };
    const host = await started({ environment });
    expect(host.variables).toEqual({ KINDGI_PACK_ENV_FILTER: "off", OTHER: "1" });
    expect(host.kinds).toEqual(["listening"]);
  });

  test("a required name that is missing keeps it from being ready, not from listening", async () => {
    const files = withIndex({ env: { required: ["NEEDED"] } });
    const host = await started({ files });
    expect(host.kinds).toEqual(["missing-env", "listening"]);
    expect((await host.ask("/readyz")).status).toBe(503);
    const environment = { KINDGI_PACK_SERVICE_TOKEN: TOKEN, KINDGI_PACK_ENV_CHECK: "warn" };
    const lenient = await started({ files, environment });
    expect((await lenient.ask("/readyz")).status).toBe(200);
  });
});

describe("signals (§7)", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s drains: a call in flight ends, then the process",
    async (signal) => {
      const { modules, entered, release } = held();
      const host = await started({ modules });
      const call = host.call("greet");
      await entered;
      host.signal(signal);
      expect((await host.ask("/readyz")).status).toBe(503);
      expect((await host.call("greet")).status).toBe(503);
      expect(host.events).not.toContain("close");
      release("late");
      expect(await (await call).json()).toMatchObject({ output: "late" });
      expect(await host.exited).toBe(0);
      expect(host.kinds).toEqual(["listening", "draining", "call", "stopped"]);
    },
  );

  test("the server has what is left of 9 s to hand over the last answers", async () => {
    const { modules, entered, release } = held();
    const host = await started({ modules });
    const call = host.call("greet");
    await entered;
    host.signal("SIGTERM");
    host.clockMs += 3_000;
    release("");
    await call;
    await host.exited;
    expect(host.closeLimitMs).toBe(6_000);
  });

  test("further SIGTERMs and a SIGINT after one change nothing", async () => {
    const { modules, entered, release } = held();
    const host = await started({ modules });
    const call = host.call("greet");
    await entered;
    host.signal("SIGTERM");
    host.clockMs += 1_000;
    host.signal("SIGTERM");
    host.signal("SIGINT");
    host.signal("SIGTERM");
    release("done");
    expect(await (await call).json()).toMatchObject({ output: "done" });
    expect(await host.exited).toBe(0);
    expect(host.kinds.filter((kind) => kind === "stopped")).toHaveLength(1);
  });

  test.each([
    [299, 0],
    [300, 130],
  ])("a second SIGINT %i ms after the first exits with %i", async (afterMs, code) => {
    const { modules, entered, release } = held();
    const host = await started({ modules });
    const call = host.call("greet");
    await entered;
    host.signal("SIGINT");
    host.clockMs += afterMs;
    host.signal("SIGINT");
    release("");
    await call;
    expect(await host.exited).toBe(code);
  });

  test.each([
    [
      "a module that is never loaded",
      { "/pack/greet.mjs": () => new Promise<never>(() => {}) },
      undefined,
    ],
    ["an address that is never bound", undefined, () => new Promise<never>(() => {})],
  ])("before `listening` it ends the start at once: %s", async (_, modules, serve) => {
    const host = new FakeHost({ ...(modules && { modules }), ...(serve && { serve }) });
    void runProcess(host);
    await turn();
    host.signal("SIGTERM");
    expect(await host.exited).toBe(0);
    expect(host.kinds).toEqual(["stopped"]);
  });

  test("a start that goes on after the signal says nothing more", async () => {
    let load!: (module: object) => void;
    const module = new Promise<object>((resolve) => (load = resolve));
    const host = new FakeHost({ modules: { "/pack/greet.mjs": () => module } });
    const running = runProcess(host);
    await turn();
    host.signal("SIGTERM");
    load({ default: () => 1 });
    await running;
    await host.exited;
    await turn();
    expect(host.kinds).toEqual(["stopped"]);
    expect(host.events.some((event) => event.startsWith("serve"))).toBe(false);
  });
});

describe("faults outside a call (§7)", () => {
  test("after a floating rejection the service goes on", async () => {
    const host = await started();
    host.fault("unhandled-rejection", new Error(`floating ${TOKEN}`));
    expect(await host.record("pack-fault")).toMatchObject({
      level: "error",
      fault: "unhandled-rejection",
      cause: { name: "Error", message: "floating [redacted]" },
    });
    expect((await host.ask("/readyz")).status).toBe(200);
  });

  test("after an uncaught exception it drains, loses no call and exits with 1", async () => {
    const { modules, entered, release } = held();
    const host = await started({ modules });
    const call = host.call("greet");
    await entered;
    host.fault("uncaught-exception", new Error("timer"));
    expect((await host.ask("/readyz")).status).toBe(503);
    host.signal("SIGTERM");
    release("kept");
    expect(await (await call).json()).toMatchObject({ output: "kept" });
    expect(await host.exited).toBe(1);
    expect(host.kinds).toEqual(["listening", "pack-fault", "draining", "call", "stopped"]);
  });

  test("one during a drain makes the exit code 1", async () => {
    const { modules, entered, release } = held();
    const host = await started({ modules });
    const call = host.call("greet");
    await entered;
    host.signal("SIGTERM");
    host.fault("uncaught-exception", "late");
    release("");
    await call;
    expect(await host.exited).toBe(1);
  });

  test("one before `listening` is a failed start", async () => {
    const host = new FakeHost({
      modules: { "/pack/greet.mjs": () => new Promise<never>(() => {}) },
    });
    void runProcess(host);
    await turn();
    host.fault("uncaught-exception", new Error("early"));
    expect(await host.exited).toBe(1);
    expect(host.kinds).toEqual(["pack-fault", "boot-failed"]);
    expect(host.records.at(-1)?.problems).toEqual([expect.stringContaining("early")]);
  });

  test("declared environment values are in no fault's record", async () => {
    const environment = { KINDGI_PACK_SERVICE_TOKEN: TOKEN, DECLARED: "a-declared-value" };
    const host = await started({ environment });
    host.fault("unhandled-rejection", { reason: "a-declared-value", password: "p" });
    expect(await host.record("pack-fault")).toMatchObject({
      cause: { reason: "[redacted]", password: "[redacted]" },
    });
  });

  test("pack code that ends the process leaves a record, the last ones too, and a code that is no success", async () => {
    const host = await started();
    await host.call("greet");
    host.exit(0);
    expect(await host.exited).toBe(1);
    expect(host.kinds).toEqual(["listening", "call", "pack-fault"]);
    const other = await started();
    other.exit(7);
    expect(await other.exited).toBe(7);
  });
});

async function firstLine(format: string, isTerminal: boolean, more = {}): Promise<string> {
  const environment = { KINDGI_PACK_SERVICE_TOKEN: TOKEN, KINDGI_LOG_FORMAT: format, ...more };
  const host = new FakeHost({ environment, files: {} });
  Object.assign(host.stderr, { isTerminal });
  await runProcess(host);
  await host.exited;
  return host.written;
}

describe("the log format (§7)", () => {
  test("auto is pretty on a terminal only", async () => {
    expect(await firstLine("auto", false)).toMatch(/^\{/);
    expect(await firstLine("auto", true)).toContain("\u001b[31mERROR");
    expect(await firstLine("json", true)).toMatch(/^\{/);
    expect(await firstLine("pretty", false)).toMatch(/^\d\d:\d\d:\d\d\.\d{3} ERROR service/);
  });

  test("a terminal gets no colours when NO_COLOR says so", async () => {
    expect(await firstLine("auto", true, { NO_COLOR: "1" })).not.toContain("\u001b");
  });
});
