import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { helpText, parseConfig } from "../../adapters/config.ts";
import type { Config } from "../../adapters/config.ts";

const TOKEN = { KINDGI_PACK_SERVICE_TOKEN: "t0ken" };

function parse(argv: string[], environment: Record<string, string> = {}) {
  const parsed = parseConfig(argv, { ...TOKEN, ...environment });
  if (parsed.ask !== "serve") throw new Error(`it asks for ${parsed.ask}`);
  return parsed;
}

function problems(argv: string[], environment: Record<string, string> = {}): readonly string[] {
  return parse(argv, environment).problems;
}

describe("settings (§7)", () => {
  test("have these defaults", () => {
    expect(parse([])).toEqual({
      ask: "serve",
      problems: [],
      config: {
        index: "/app/index.json",
        moduleRoot: undefined,
        bundleMap: undefined,
        host: undefined,
        port: 8080,
        token: "t0ken",
        maxConcurrency: 32,
        envCheck: "strict",
        envFilter: "on",
        logLevel: "info",
        logLevels: {},
        logFormat: "auto",
      } satisfies Config,
    });
  });

  test("all come from where the contract says", () => {
    const argv = [
      "--index=a.json",
      "--module-root",
      "root",
      "--bundle-map",
      "map.json",
      "--host=::1",
    ];
    const { config, problems: found } = parse(argv, {
      KINDGI_PACK_INDEX: "ignored.json",
      PORT: "0",
      KINDGI_PACK_SERVICE_TOKEN: "  !~ \n",
      KINDGI_PACK_SERVICE_MAX_CONCURRENCY: "7",
      KINDGI_PACK_ENV_CHECK: "warn",
      KINDGI_PACK_ENV_FILTER: "off",
      KINDGI_LOG_LEVEL: "trace",
      KINDGI_LOG_LEVELS: "pack=warn, pack.tool = debug",
      KINDGI_LOG_FORMAT: "pretty",
    });
    expect(found).toEqual([]);
    expect(config).toEqual({
      index: "a.json",
      moduleRoot: "root",
      bundleMap: "map.json",
      host: "::1",
      port: 0,
      token: "!~",
      maxConcurrency: 7,
      envCheck: "warn",
      envFilter: "off",
      logLevel: "trace",
      logLevels: { pack: "warn", "pack.tool": "debug" },
      logFormat: "pretty",
    });
  });

  test("the index's path may come from the environment", () => {
    expect(parse([], { KINDGI_PACK_INDEX: "e.json" }).config.index).toBe("e.json");
  });

  test.each([
    "PORT",
    "KINDGI_PACK_INDEX",
    "KINDGI_PACK_SERVICE_MAX_CONCURRENCY",
    "KINDGI_PACK_ENV_CHECK",
    "KINDGI_PACK_ENV_FILTER",
    "KINDGI_LOG_LEVEL",
    "KINDGI_LOG_LEVELS",
    "KINDGI_LOG_FORMAT",
  ])("an empty %s is an unset one", (name) => {
    expect(parse([], { [name]: "" })).toEqual(parse([]));
  });

  test("of a repeated flag the last wins, and an inline value may hold an equals sign", () => {
    expect(parse(["--index", "a", "--index=b=c"]).config.index).toBe("b=c");
  });

  test("a leading serve is skipped, another one isn't", () => {
    expect(parse(["serve", "--index", "a"]).problems).toEqual([]);
    expect(problems(["--index", "a", "serve"])).toEqual([
      expect.stringContaining(`argument "serve"`),
    ]);
  });

  test("a level may be for a subsystem with any name", () => {
    const { logLevels } = parse([], { KINDGI_LOG_LEVELS: "__proto__=error" }).config;
    expect(Object.entries(logLevels)).toEqual([["__proto__", "error"]]);
  });
});

describe("problems (§7)", () => {
  test.each([
    [["--nope"], {}, `Unknown option "--nope"`],
    [["--nope=1"], {}, `Unknown option "--nope"`],
    [["-x"], {}, `Unknown option "-x"`],
    [["stray"], {}, `Unknown argument "stray"`],
    [["--index"], {}, "--index needs a value"],
    [["--index="], {}, "--index needs a value"],
    [["--index", "--host", "::"], {}, "--index needs a value"],
    [[], { PORT: "http" }, "PORT must be"],
    [[], { PORT: "-1" }, "PORT must be"],
    [[], { PORT: "65536" }, "PORT must be"],
    [[], { PORT: "80.5" }, "PORT must be"],
    [[], { PORT: "0x50" }, "PORT must be"],
    [[], { PORT: "1e3" }, "PORT must be"],
    [[], { KINDGI_PACK_SERVICE_TOKEN: "" }, "KINDGI_PACK_SERVICE_TOKEN is missing"],
    [[], { KINDGI_PACK_SERVICE_TOKEN: " \t" }, "KINDGI_PACK_SERVICE_TOKEN is missing"],
    [[], { KINDGI_PACK_SERVICE_MAX_CONCURRENCY: "0" }, "MAX_CONCURRENCY must be"],
    [[], { KINDGI_PACK_SERVICE_MAX_CONCURRENCY: "1.5" }, "MAX_CONCURRENCY must be"],
    [[], { KINDGI_PACK_ENV_CHECK: "lax" }, "one of strict, warn"],
    [[], { KINDGI_PACK_ENV_FILTER: "yes" }, "one of on, off"],
    [[], { KINDGI_LOG_LEVEL: "loud" }, "one of error, warn, info, debug, trace"],
    [[], { KINDGI_LOG_FORMAT: "xml" }, "one of auto, json, pretty"],
    [[], { KINDGI_LOG_LEVELS: "pack" }, "KINDGI_LOG_LEVELS must be"],
    [[], { KINDGI_LOG_LEVELS: "pack=loud" }, "KINDGI_LOG_LEVELS must be"],
    [[], { KINDGI_LOG_LEVELS: "=info" }, "KINDGI_LOG_LEVELS must be"],
    [[], { KINDGI_LOG_LEVELS: "a=info=b" }, "KINDGI_LOG_LEVELS must be"],
  ])("%j %j", (argv, environment, problem) => {
    expect(problems(argv, environment)).toEqual([expect.stringContaining(problem)]);
  });

  test("are listed all at once", () => {
    expect(problems(["--nope", "--host"], { PORT: "x", KINDGI_LOG_LEVEL: "y" })).toHaveLength(4);
  });

  test("quote what was given", () => {
    expect(problems([], { PORT: "99999" })).toEqual([expect.stringContaining(`not "99999"`)]);
  });

  test("never quote a token, whatever it is", () => {
    const text = fc.string({ minLength: 4, unit: "binary" }).map((given) => `é${given}`);
    fc.assert(
      fc.property(text, (token) => {
        const { problems: found, config } = parse([], { KINDGI_PACK_SERVICE_TOKEN: token });
        expect(config.token).toBeUndefined();
        expect(found).toHaveLength(1);
        expect(found[0]).not.toContain(token.trim());
      }),
    );
  });

  test("a token of visible ASCII is none", () => {
    const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: visible, minLength: 1 }), (token) => {
        expect(parse([], { KINDGI_PACK_SERVICE_TOKEN: `\n ${token}\t` })).toMatchObject({
          config: { token },
          problems: [],
        });
      }),
    );
  });
});

describe("--help and --version (§7)", () => {
  test("win over everything else", () => {
    expect(parseConfig(["serve", "--nope", "--help", "--version"], {})).toEqual({ ask: "help" });
    expect(parseConfig(["--nope", "--version"], {})).toEqual({ ask: "version" });
  });

  test("the help names every flag, environment name and exit code", () => {
    const help = helpText();
    for (const name of `--index KINDGI_PACK_INDEX --module-root --bundle-map --host PORT KINDGI_PACK_SERVICE_TOKEN
      KINDGI_PACK_SERVICE_MAX_CONCURRENCY KINDGI_PACK_ENV_CHECK KINDGI_PACK_ENV_FILTER KINDGI_LOG_LEVEL
      KINDGI_LOG_LEVELS KINDGI_LOG_FORMAT --help --version`.split(/\s+/)) {
      expect(help).toContain(name);
    }
    for (const code of [0, 1, 130]) expect(help).toMatch(new RegExp(`^  ${code} `, "m"));
  });
});
