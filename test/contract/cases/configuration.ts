import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { json, output } from "../answer.ts";
import type { Case } from "../case.ts";
import { callTool, invoke } from "../messages.ts";
import { FIXTURE_PACK, indexOf, layPack, tool } from "../packs.ts";
import type { RequirementId } from "../requirements.ts";
import { TOKEN } from "../target.ts";
import type { ProcessOptions } from "../target.ts";

const INDEX = join(FIXTURE_PACK, "index.json");
const LOOPBACK = ["--host", "127.0.0.1"];

interface Refused {
  id: string;
  verifies: RequirementId[];
  options: ProcessOptions;
  /** Each is matched by a problem. */
  problems: RegExp[];
}

const refused: Refused[] = [
  {
    id: "token-missing",
    verifies: ["7.token"],
    options: { token: null },
    problems: [/KINDGI_PACK_SERVICE_TOKEN/],
  },
  {
    id: "token-blank",
    verifies: ["7.token"],
    options: { token: " \t" },
    problems: [/KINDGI_PACK_SERVICE_TOKEN/],
  },
  {
    id: "token-space",
    verifies: ["7.token"],
    options: { token: "two words" },
    problems: [/KINDGI_PACK_SERVICE_TOKEN/],
  },
  {
    id: "token-accent",
    verifies: ["7.token"],
    options: { token: "tokén" },
    problems: [/KINDGI_PACK_SERVICE_TOKEN/],
  },
  {
    id: "everything",
    verifies: [
      "7.config-invalid",
      "7.flags",
      "7.port",
      "7.cap",
      "7.env-check",
      "7.env-filter",
      "8.problems",
    ],
    options: {
      token: null,
      args: ["--verbose", "--index", "/nowhere/index.json"],
      env: {
        PORT: "80a",
        KINDGI_PACK_SERVICE_MAX_CONCURRENCY: "0",
        KINDGI_PACK_ENV_CHECK: "lax",
        KINDGI_PACK_ENV_FILTER: "maybe",
        KINDGI_LOG_LEVEL: "loud",
        KINDGI_LOG_LEVELS: "pack=loud",
        KINDGI_LOG_FORMAT: "xml",
      },
    },
    problems: [
      /KINDGI_PACK_SERVICE_TOKEN/,
      /--verbose/,
      /PORT/,
      /KINDGI_PACK_SERVICE_MAX_CONCURRENCY/,
      /KINDGI_PACK_ENV_CHECK/,
      /KINDGI_PACK_ENV_FILTER/,
      /KINDGI_LOG_LEVEL\b/,
      /KINDGI_LOG_LEVELS/,
      /KINDGI_LOG_FORMAT/,
    ],
  },
  {
    id: "port-large",
    verifies: ["7.port"],
    options: { env: { PORT: "65536" } },
    problems: [/PORT/],
  },
  { id: "port-hex", verifies: ["7.port"], options: { env: { PORT: "0x50" } }, problems: [/PORT/] },
  {
    id: "cap-fraction",
    verifies: ["7.cap"],
    options: { env: { KINDGI_PACK_SERVICE_MAX_CONCURRENCY: "1.5" } },
    problems: [/KINDGI_PACK_SERVICE_MAX_CONCURRENCY/],
  },
  {
    id: "flag-unknown",
    verifies: ["7.flags"],
    options: { args: ["--hosts=a"] },
    problems: [/--hosts/],
  },
  {
    id: "flag-without-value",
    verifies: ["7.flags"],
    options: { args: ["--bundle-map"] },
    problems: [/--bundle-map/],
  },
];

function fromRefused({ id, verifies, options, problems }: Refused): Case {
  return {
    id: `7-refused-${id}`,
    title: "is config-invalid",
    verifies: [...verifies, "7.config-invalid"],
    needs: "process",
    async run({ spawn }) {
      const service = spawn(options);
      const record = await service.records.event("config-invalid");
      expect(record).toMatchObject({
        kind: "config-invalid",
        level: "error",
        problems: expect.any(Array),
      });
      const found = record.problems as string[];
      for (const problem of problems) {
        expect(
          found.some((text) => problem.test(text)),
          `${problem} in ${JSON.stringify(found)}`,
        ).toBe(true);
      }
      expect(found).toHaveLength(problems.length);
      expect(await service.exited).toEqual({ code: 1, signal: null });
      expect(service.records.all).toHaveLength(1);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function statusOf(address: string, port: number): Promise<number> {
  const response = await fetch(`http://${address}:${port}/healthz`, {
    headers: { connection: "close" },
  });
  await response.text();
  return response.status;
}

export const configurationCases: readonly Case[] = [
  ...refused.map(fromRefused),
  {
    id: "7-listening",
    title: "the listening record tells the real port",
    verifies: ["8.listening", "8.event-kind", "7.port", "7.host"],
    needs: "process",
    async run({ service }) {
      const running = await service();
      const record = await running.records.event("listening");
      expect(record).toMatchObject({
        level: "info",
        kind: "listening",
        packId: "contract-pack",
        artifactVersion: "artifact-1",
        host: "127.0.0.1",
      });
      expect(record.port).toBeGreaterThan(0);
      expect(await statusOf("127.0.0.1", running.port)).toBe(200);
    },
  },
  {
    id: "7-port",
    title: "PORT is the port that is listened on",
    verifies: ["7.port"],
    needs: "process",
    async run({ start }) {
      const port = await freePort();
      const service = await start({ env: { PORT: String(port) } });
      expect(service.port).toBe(port);
      expect(await statusOf("127.0.0.1", port)).toBe(200);
    },
  },
  {
    id: "7-port-default",
    title: "an empty PORT is unset, and unset is 8080",
    verifies: ["7.port"],
    needs: "process",
    async run({ spawn }) {
      const service = spawn({ env: { PORT: "" } });
      const record = await service.records.waitFor(
        "listening or boot-failed",
        ({ event }) => event === "listening" || event === "boot-failed",
      );
      // Another program of the machine may have the port; then the problem names it.
      if (record.event === "listening") expect(record.port).toBe(8080);
      else expect(String(record.problems)).toContain("8080");
    },
  },
  {
    id: "7-host-default",
    title: "without --host the service is reached by IPv4 and by IPv6",
    verifies: ["7.host"],
    needs: "process",
    async run({ start }) {
      const service = await start({ bareArgs: true, args: ["--index", INDEX] });
      expect(await statusOf("127.0.0.1", service.port)).toBe(200);
      expect(await statusOf("[::1]", service.port)).toBe(200);
    },
  },
  {
    id: "7-host",
    title: "--host is the only address that is listened on",
    verifies: ["7.host"],
    needs: "process",
    async run({ start }) {
      const service = await start({ bareArgs: true, args: ["--index", INDEX, "--host", "::1"] });
      expect(await statusOf("[::1]", service.port)).toBe(200);
      await expect(statusOf("127.0.0.1", service.port)).rejects.toThrow();
    },
  },
  {
    id: "7-index-env",
    title: "KINDGI_PACK_INDEX names the index, and its folder is the module root",
    verifies: ["7.index", "7.module-root"],
    needs: "process",
    async run({ start }) {
      const service = await start({
        bareArgs: true,
        args: LOOPBACK,
        env: { KINDGI_PACK_INDEX: INDEX },
      });
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "7-index-flag",
    title: "--index goes before KINDGI_PACK_INDEX, in both forms of a flag",
    verifies: ["7.index", "7.flags"],
    needs: "process",
    async run({ start }) {
      const args = [`--index=${INDEX}`, "--host=127.0.0.1"];
      const service = await start({
        bareArgs: true,
        args,
        env: { KINDGI_PACK_INDEX: "/nowhere/index.json" },
      });
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "7-index-default",
    title: "without either, the index is /app/index.json",
    verifies: ["7.index", "7.problem-texts"],
    needs: "process",
    async run({ spawn }) {
      const service = spawn({ bareArgs: true, args: LOOPBACK });
      const { problems } = await service.records.event("boot-failed");
      expect((problems as string[])[0]).toMatch(/^Cannot read the pack index.*\/app\/index\.json/);
      expect(await service.exited).toMatchObject({ code: 1 });
    },
  },
  {
    id: "7-module-root",
    title: "--module-root is where module paths begin",
    verifies: ["7.module-root", "3.paths"],
    needs: "process",
    async run({ start }) {
      const pack = layPack({ index: indexOf({ tools: [tool("echo", "echo.mjs")] }) });
      try {
        const args = [
          "--index",
          pack.index,
          "--module-root",
          join(FIXTURE_PACK, "modules"),
          ...LOOPBACK,
        ];
        output(await callTool(await start({ bareArgs: true, args }), "echo"));
      } finally {
        pack.remove();
      }
    },
  },
  {
    id: "7-bundle-map",
    title: "a bundle map tells where a module's bundle is; the others stay where they are",
    verifies: ["7.bundle-map"],
    needs: "process",
    async run({ start }) {
      const pack = layPack({
        index: indexOf({ tools: [tool("mapped", "src/mapped.ts"), tool("plain", "./plain.mjs")] }),
        files: {
          "bundles/mapped.mjs": "export default () => 'from the bundle';",
          "plain.mjs": "export default () => 'plain';",
          "map.json": JSON.stringify({ "./src/mapped.ts": "bundles/mapped.mjs" }),
        },
      });
      try {
        const map = join(pack.moduleRoot, "map.json");
        const args = ["--index", pack.index, "--bundle-map", map, ...LOOPBACK];
        const service = await start({ bareArgs: true, args });
        expect(output(await callTool(service, "mapped"))).toBe("from the bundle");
        expect(output(await callTool(service, "plain"))).toBe("plain");
      } finally {
        pack.remove();
      }
    },
  },
  ...(
    [
      ["outside", "../one.mjs", /\.\.\/one\.mjs/, "3.paths"],
      ["missing", "bundles/one.mjs", /^Missing module: .*one/, "7.problem-texts"],
    ] as const
  ).map(([name, path, problem, requirement]): Case => ({
    id: `7-bundle-map-${name}`,
    title: `a bundle that is ${name} is a problem`,
    verifies: ["7.bundle-map", requirement],
    needs: "process",
    async run({ spawn }) {
      const pack = layPack({
        index: indexOf({ tools: [tool("one", "src/one.ts")] }),
        files: { "map.json": JSON.stringify({ "src/one.ts": path }) },
      });
      try {
        const args = [
          "--index",
          pack.index,
          "--bundle-map",
          join(pack.moduleRoot, "map.json"),
          ...LOOPBACK,
        ];
        const { problems } = await spawn({ bareArgs: true, args }).records.event("boot-failed");
        expect(problems).toEqual([expect.stringMatching(problem)]);
      } finally {
        pack.remove();
      }
    },
  })),
  {
    id: "7-token-trimmed",
    title: "the token is trimmed",
    verifies: ["7.token"],
    needs: "process",
    async run({ start }) {
      output(await callTool(await start({ token: ` \t${TOKEN}\n` }), "echo"));
    },
  },
  {
    id: "7-token-absent-in-process",
    title: "an embedded service without a token refuses every call and says what to pass",
    verifies: ["7.token", "1.401"],
    needs: "in-process",
    async run({ service }) {
      const running = await service({ token: null });
      for (const token of [TOKEN, "", "undefined", null]) {
        const answer = await running.send({
          body: invoke("echo"),
          headers: { "kindgi-pack-token": token },
        });
        expect(answer.status).toBe(401);
        expect(json(answer).error).toContain("token");
      }
    },
  },
  {
    id: "7-levels",
    title: "the log level keeps lesser records out, lifecycle records excepted",
    verifies: ["7.log-level", "8.lifecycle"],
    async run({ start }) {
      const service = await start({ logLevel: "error" });
      const message = invoke("log");
      output(await service.send({ body: message }));
      await service.records.logged(message.ctx.requestId, "at error");
      service.drain();
      await service.records.event("draining");
      const seen = service.records.all.filter(
        ({ requestId }) => requestId === message.ctx.requestId,
      );
      expect(seen.map((record) => record.level)).toEqual(["error"]);
    },
  },
  {
    id: "7-levels-trace",
    title: "the lowest level lets all through",
    verifies: ["7.log-level", "8.log"],
    async run({ start }) {
      const service = await start({ logLevel: "trace" });
      const message = invoke("log");
      output(await service.send({ body: message }));
      for (const level of ["error", "warn", "info", "debug", "trace"]) {
        const record = await service.records.logged(message.ctx.requestId, `at ${level}`);
        expect(record).toMatchObject({ level, level_of: level, subsystem: "pack.tool" });
      }
    },
  },
  {
    id: "7-levels-subsystem",
    title: "a subsystem has its own level, and inherits that of its parent",
    verifies: ["7.log-levels"],
    async run({ start }) {
      const service = await start({
        logLevel: "trace",
        logLevels: { pack: "error", "pack.check": "debug" },
      });
      const message = invoke("log");
      output(await service.send({ body: message }));
      await service.records.logged(message.ctx.requestId, "at error");
      const other = await start({ logLevel: "error", logLevels: { "pack.tool": "debug" } });
      const second = invoke("log");
      output(await other.send({ body: second }));
      await other.records.logged(second.ctx.requestId, "at debug");
      const levelsOf = (records: typeof service.records, requestId: string) =>
        new Set(
          records.all
            .filter((record) => record.requestId === requestId)
            .map((record) => record.level),
        );
      expect(levelsOf(service.records, message.ctx.requestId)).toEqual(new Set(["error"]));
      expect(levelsOf(other.records, second.ctx.requestId)).toEqual(
        new Set(["error", "warn", "info", "debug"]),
      );
    },
  },
  {
    id: "7-format-auto",
    title: "auto is JSON where stderr is no terminal, pretty is not JSON",
    verifies: ["7.log-format"],
    needs: "process",
    async run({ start, spawn }) {
      const auto = await start({ env: { KINDGI_LOG_FORMAT: "auto" } });
      expect(auto.records.all.length).toBeGreaterThan(0);
      const pretty = spawn({
        env: { KINDGI_LOG_FORMAT: "pretty" },
        args: ["--index", "/nowhere/index.json"],
      });
      await pretty.exited;
      expect(pretty.stderr()).toContain("Cannot read the pack index");
      expect(pretty.records.all).toEqual([]);
    },
  },
  ...(
    [
      ["--help", /--index[\s\S]*KINDGI_PACK_SERVICE_TOKEN/],
      ["--version", /^\d+\.\d+\.\d+\S*\n$/],
    ] as const
  ).map(([flag, printed]): Case => ({
    id: `7${flag}`,
    title: `${flag} prints to stdout and exits 0`,
    verifies: ["7.help"],
    needs: "process",
    async run({ spawn }) {
      const service = spawn({ bareArgs: true, args: [flag], token: null });
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expect(service.stdout()).toMatch(printed);
      expect(service.stderr()).toBe("");
    },
  })),
];
