import { describe, expect, test } from "vitest";
import { EXIT_CODES, exitCodeOf } from "../../adapters/commands/exit-codes.ts";
import type { CommandIo } from "../../adapters/commands/command-io.ts";
import { isServe, runCommand } from "../../adapters/commands/run-command.ts";
import packageJson from "../../package.json" with { type: "json" };
import { CLIENT_ERROR_CODES } from "../../src/client.ts";
import { ERROR_CODES } from "../../src/protocol.ts";
import { artifactVersion, FakeClock, json, testHandler, token } from "./client-setup.ts";

const url = "http://pack";

interface Run {
  io?: Partial<CommandIo>;
  environment?: Record<string, string>;
  terminal?: boolean;
  stdin?: string;
}

/** Runs a command line in this process. The token is in its environment. */
async function run(argv: string[], { io, environment, terminal = false, stdin = "" }: Run = {}) {
  let out = "";
  let errors = "";
  const code = await runCommand(argv, {
    entry: import.meta.url,
    environment: { KINDGI_PACK_SERVICE_TOKEN: ` ${token}\n`, ...environment },
    stdout: { isTerminal: terminal, write: (text) => (out += text) },
    stderr: { isTerminal: terminal, write: (text) => (errors += text) },
    readStdin: async () => stdin,
    fetch: testHandler(),
    ...io,
  });
  return { code, out, errors };
}

async function call(args: string[], options?: Run) {
  const { code, out, errors } = await run(["call", url, ...args], options);
  return { code, outcome: JSON.parse(out), errors, isOneLine: /^[^\n]+\n$/.test(out) };
}

describe("pack-handler call, piped", () => {
  test("prints the outcome as one line of JSON", async () => {
    const { code, outcome, errors, isOneLine } = await call(["echo", '{"a":[1]}']);
    expect(outcome).toEqual({
      ok: true,
      output: { a: [1] },
      durationMs: expect.any(Number),
      artifactVersion,
    });
    expect([code, errors, isOneLine]).toEqual([0, "", true]);
  });

  test("takes its input from stdin, or none", async () => {
    expect((await call(["echo", "-"], { stdin: " [1]\n" })).outcome).toMatchObject({ output: [1] });
    expect((await call(["echo"])).outcome).toMatchObject({ output: {} });
  });

  test("makes the context from its flags", async () => {
    const plain = await call(["context"]);
    expect(plain.outcome.output).toMatchObject({
      tenantId: "cli",
      runId: expect.stringMatching(/^cli-.{36}$/),
    });
    const ctx = JSON.stringify({ tenantId: "no", runId: "r", env: { A: "1" } });
    const given = await call(["context", "--ctx", ctx, "--tenant=t"]);
    expect(given.outcome.output).toMatchObject({ tenantId: "t", runId: "r", env: { A: "1" } });
    expect((await call(["context", "--run", "r2", "--ctx", ctx])).outcome.output).toMatchObject({
      runId: "r2",
    });
  });

  test("asks for a version, and sets a deadline", async () => {
    const input = '{"a":1,"b":2}';
    expect((await call(["sum", input, "--version", "2"])).outcome).toMatchObject({ output: 3 });
    const late = await call(["wait", "--timeout-ms", "1"]);
    expect([late.code, late.outcome.code]).toEqual([4, "deadline-exceeded"]);
  });

  test.each([
    [3, "input-validation-failed", ["sum", '{"a":"1"}', "--version=1"]],
    [3, "tool-not-in-pack", ["none"]],
    [1, "handler-throw", ["throw"]],
    [5, "unauthorized", ["echo", "--token", "other"]],
    [5, "unavailable", ["echo", "--timeout-ms", "1"], 503],
    [6, "unexpected-answer", ["echo"], 502],
  ] as const)("ends with %i on %s", async (expected, code, args, status?: number) => {
    const io = status ? { fetch: async () => json({ error: "overloaded" }, { status }) } : {};
    const ended = await call([...args], { io });
    expect(ended.outcome).toMatchObject({ ok: false, code, message: expect.any(String) });
    expect([ended.code, ended.errors]).toEqual([expected, ""]);
  });
});

describe("pack-handler call, on a terminal", () => {
  const plain = { terminal: true, environment: { NO_COLOR: "1" } };

  test("prints the output, then how long it took", async () => {
    const { out } = await run(["call", url, "echo", '{"a":[1]}'], plain);
    expect(out.replace(/\d+ ms/, "# ms")).toBe(
      `{\n  "a": [\n    1\n  ]\n}\nok  # ms, artifact ${artifactVersion}\n`,
    );
  });

  test("prints each issue with its path and what stands there", async () => {
    const { code, out } = await run(
      ["call", url, "sum", '{"a":"x","b":"y"}', "--version=1"],
      plain,
    );
    expect(code).toBe(3);
    expect(out).toMatch(
      /^input-validation-failed {2}.*\n {2}\/a {2}must be number, not "x"\n {2}\/b {2}must be number, not "y"\n/,
    );
    const whole = await run(["call", url, "sum", "[]", "--version=1"], plain);
    expect(whole.out).toContain("\n  (the whole value)  must be object\n");
  });

  test("names the member that is too much, and the values that are allowed", async () => {
    const issues = [
      { keyword: "additionalProperties", params: { additionalProperty: "\u001b" } },
      { keyword: "unevaluatedProperties", params: { unevaluatedProperty: "b" } },
      { keyword: "enum", params: { allowedValues: ["c", 1, null] } },
      { keyword: "const", params: { allowedValue: "x".repeat(100) } },
      { keyword: "type", params: { type: "string" } },
    ].map((issue) => ({ instancePath: "/a", schemaPath: "#", message: "is wrong", ...issue }));
    const body = { v: 2, kind: "error", code: "input-validation-failed", message: "m", issues };
    const { out } = await run(["call", url, "t"], {
      ...plain,
      io: { fetch: async () => json(body) },
    });
    expect(out.split("\n").slice(1, -1)).toEqual([
      '  /a  is wrong: "\\u001b"',
      '  /a  is wrong: "b"',
      '  /a  is wrong: "c", 1, null',
      `  /a  is wrong: "${"x".repeat(58)}…`,
      "  /a  is wrong",
    ]);
  });

  test("finds what stands at an escaped path, shows long values cut and inherited ones not at all", async () => {
    const issues = ["/a~1b/0", "/long", "/constructor", "/none"].map((instancePath) => ({
      instancePath,
      message: "is wrong",
    }));
    const body = { v: 2, kind: "error", code: "input-validation-failed", message: "m", issues };
    const input = JSON.stringify({ "a/b": [false], long: "x".repeat(100) });
    const { out } = await run(["call", url, "t", input], {
      ...plain,
      io: { fetch: async () => json(body) },
    });
    const lines = out.split("\n").slice(1, -1);
    expect(lines).toEqual([
      "  /a~1b/0  is wrong, not false",
      `  /long  is wrong, not "${"x".repeat(58)}…`,
      "  /constructor  is wrong",
      "  /none  is wrong",
    ]);
  });

  test("prints the stack of what was thrown", async () => {
    const { out } = await run(["call", url, "throw"], plain);
    expect(out).toMatch(/^handler-throw {2}.*too far\n {2}RangeError: too far\n {6}at /);
  });

  test("names the tool that isn't there, and what lists those that are", async () => {
    const { code, out } = await run(["call", url, "sun"], plain);
    expect(code).toBe(3);
    expect(out).toMatch(/^tool-not-in-pack {2}.*\n {2}not "sun"; info lists what it has\n/);
  });

  test("prints why there is no answer", async () => {
    const { code, out } = await run(["call", url, "echo", "--token", "other"], plain);
    expect([code, out]).toEqual([
      5,
      expect.stringMatching(/^unauthorized {2}POST .* 401: wrong kindgi-pack-token\n$/),
    ]);
  });

  test("tells on stderr what it waits for", async () => {
    let tries = 0;
    const fetch = async (request: Request) => {
      tries += 1;
      if (tries > 1) return testHandler()(request);
      const headers = { "retry-after": "3" };
      return json({ error: "missing env", missingEnv: ["A"] }, { status: 503, headers });
    };
    const clock = new FakeClock();
    let errors = "";
    const write = (text: string) => {
      errors += text;
      queueMicrotask(() => clock.advance(3_000));
    };
    const io = { fetch, clock, stderr: { isTerminal: true, write } };
    const { code } = await run(["call", url, "echo"], { ...plain, io });
    expect([code, errors]).toEqual([0, '503 missing env ["A"]; again in 3000 ms\n']);
  });

  test.each([
    [{}, true],
    [{ NO_COLOR: "" }, true],
    [{ NO_COLOR: "1" }, false],
  ])("has colours with %j: %s", async (environment, isColoured) => {
    const { out } = await run(["call", url, "none"], { terminal: true, environment });
    expect(out.includes("\u001b[31m")).toBe(isColoured);
  });

  test("shows a pack's control characters, obeys none", async () => {
    const hostile = "\u001b[2Ja\u009b1A\u007f\nb";
    const issue = { instancePath: `/${hostile}`, message: hostile };
    const bodies = [
      { v: 2, kind: "result", output: hostile },
      {
        v: 2,
        kind: "error",
        code: "handler-throw",
        message: hostile,
        cause: { stack: hostile },
        issues: [issue],
      },
      { error: hostile },
    ];
    for (const body of bodies) {
      const fetch = async () => json(body, { status: "error" in body ? 404 : 200 });
      const { out } = await run(["call", url, "t"], { ...plain, io: { fetch } });
      expect(out).toContain("\\u009b1A");
      expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    }
  });
});

describe("pack-handler info", () => {
  test("prints the info as one line of JSON when piped", async () => {
    const { code, out } = await run(["info", url]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ packId: "p", checks: ["limit"] }),
    ]);
  });

  test("prints it for a person on a terminal", async () => {
    const info = {
      protocol: 2,
      packId: "p",
      packVersion: "1.0.0",
      artifactVersion: "7",
      tools: [{ id: "sum", version: "2" }, { id: "echo" }],
      checks: [],
      missingEnv: ["API_KEY"],
    };
    const environment = { NO_COLOR: "1" };
    const { out } = await run(["info", url], {
      terminal: true,
      environment,
      io: { fetch: async () => json(info) },
    });
    expect(out).toBe(`p 1.0.0  protocol 2, artifact 7
tools:
  sum 2
  echo
checks:
  none
environment names that are missing:
  API_KEY
`);
  });

  test("ends with 5 when it is refused", async () => {
    const { code, out } = await run(["info", url, "--token=other"]);
    expect([code, JSON.parse(out)]).toEqual([
      5,
      expect.objectContaining({ code: "unauthorized", status: 401 }),
    ]);
  });
});

describe("the command line", () => {
  test.each([
    [[], true],
    [["serve", "--help"], true],
    [["--index", "x"], true],
    [["--index", "x", "--help"], true],
    [["--help"], false],
    [["-h"], false],
    [["--version"], false],
    [["call"], false],
    [["x"], false],
  ])("%j serves: %s", (argv, expected) => {
    expect(isServe(argv)).toBe(expected);
  });

  test.each([
    [["x"], 'Unknown command "x"; known are serve, call'],
    [["constructor"], 'Unknown command "constructor"'],
    [["call"], "call needs a URL and a tool"],
    [["call", url, "t", "{}", "{}"], "no more"],
    [["call", url, "t", '{"a":shh}'], "the input is not valid JSON"],
    [["call", url, "t", "{,"], "the input is not valid JSON at position 1\n"],
    [["call", url, "t", "-"], "stdin is not valid JSON"],
    [["call", url, "t", "--ctx", "[]"], "--ctx must be a JSON object"],
    [["call", url, "t", "--ctx", '{"runId":1}'], "--ctx must have texts"],
    [["call", url, "t", "--timeout-ms", "0"], "--timeout-ms must be"],
    [["call", url, "t", "--timeout-ms", "1e3"], "--timeout-ms must be"],
    [["call", url, "t", "--token", ""], "--token must be"],
    [["call", url, "t", "--toll"], "Unknown option '--toll'\n"],
    [["call", "pack", "t"], "The URL must be an http or https URL"],
    [["info"], "info takes one URL"],
    [["dev", "--port", "x"], '--port must be from 0 to 65535, not "x"'],
    [["index", "--artifact-version", ""], "--artifact-version must be a non-empty string"],
    [["index", "--artifact-version", " 1"], "--artifact-version must be legal as an HTTP header"],
    [["info", url, url], "info takes one URL"],
    [["info", "http://u:hunter2@pack"], "The URL must have no user name"],
  ])("%j ends with 2 and says why", async (argv, message) => {
    const { code, out, errors } = await run(argv);
    expect([code, out]).toEqual([2, ""]);
    expect(errors).toContain(message);
    expect(errors).toMatch(/--help tells how\.\n$/);
    expect(errors).not.toMatch(/hunter2|shh/);
  });

  test("a wrong token of the environment is named, not quoted", async () => {
    const { errors } = await run(["info", url], {
      environment: { KINDGI_PACK_SERVICE_TOKEN: "a b" },
    });
    expect(errors).toMatch(/^KINDGI_PACK_SERVICE_TOKEN must be/);
    expect(errors).not.toContain("a b");
  });

  test("prints help and version", async () => {
    expect(await run(["--version"])).toEqual({
      code: 0,
      out: `${packageJson.version}\n`,
      errors: "",
    });
    expect((await run(["--help"])).out).toMatch(/serve.*call.*info/s);
    for (const name of ["call", "info"]) {
      const { code, out } = await run([name, "--help"]);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: pack-handler ${name}`);
      for (const [exitCode, meaning] of EXIT_CODES)
        expect(out).toContain(`  ${exitCode}  ${meaning}\n`);
    }
  });

  test("has an exit code that the help explains for every outcome", () => {
    for (const code of [...ERROR_CODES, ...CLIENT_ERROR_CODES]) {
      expect([...EXIT_CODES.keys()].filter((known) => known > 0 && known !== 2)).toContain(
        exitCodeOf(code),
      );
    }
  });
});
