import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { output } from "../answer.ts";
import type { Case } from "../case.ts";
import { callTool } from "../messages.ts";
import { fixtureIndex, guardrail, indexOf, tool } from "../packs.ts";
import { stderrProblems } from "../process.ts";

const TYPESCRIPT_INDEX = fileURLToPath(new URL("../typescript-pack/index.json", import.meta.url));

const importsForever = "await new Promise(() => setInterval(() => {}, 1_000));";

export const bootCases: readonly Case[] = [
  {
    id: "7-missing-modules",
    title: "every module that isn't there is a problem, and each is named once",
    verifies: ["7.problem-texts", "7.boot-failed"],
    async run({ target }) {
      const index = indexOf({
        tools: [
          tool("a", "modules/none-a.mjs"),
          tool("b", "./modules/none-a.mjs"),
          tool("c", "modules/echo.mjs"),
        ],
        guardrails: [guardrail("d", "modules/none-b.mjs")],
      });
      const problems = await target.problems({ pack: { index } });
      expect([...problems].toSorted()).toEqual([
        "Missing module: modules/none-a.mjs",
        "Missing module: modules/none-b.mjs",
      ]);
    },
  },
  {
    id: "7-all-at-once",
    title: "missing modules, imports that fail and broken schemas are told at once",
    verifies: ["7.boot-failed", "5.broken", "7.boot-order"],
    async run({ target }) {
      const index = indexOf({
        tools: [
          tool("throws", "throws.mjs"),
          tool("syntax", "syntax.mjs"),
          tool("lost", "lost.mjs"),
          tool("missing", "missing.mjs"),
          tool("schema", "good.mjs", { output: { type: "dict" } }),
        ],
      });
      const files = {
        "throws.mjs": "throw new Error('thrown on import');",
        "syntax.mjs": "export default (",
        "lost.mjs": "import './nowhere.mjs'; export default () => 1;",
        "good.mjs": "export default () => 1;",
      };
      const problems = await target.problems({ pack: { index, files }, lazy: true });
      expect(problems).toHaveLength(5);
      const text = problems.join("\n");
      expect(problems).toContain("Missing module: missing.mjs");
      expect(text).toMatch(/throws\.mjs.*thrown on import/);
      expect(text).toContain("syntax.mjs");
      expect(text).toContain("lost.mjs");
      expect(text).toMatch(/schema.*output.*dict/s);
    },
  },
  ...["no JSON {", "", "\u0000"].map((index): Case => ({
    id: `7-index-unreadable-${JSON.stringify(index)}`,
    title: "an index that is no JSON can't be read",
    verifies: ["7.problem-texts", "7.boot-failed", "8.problems", "8.event-kind"],
    needs: "process",
    async run({ spawn }) {
      const service = spawn({ pack: { index } });
      const record = await service.records.event("boot-failed");
      expect(record).toMatchObject({ kind: "boot-failed", level: "error" });
      expect((record.problems as string[])[0]).toMatch(/^Cannot read the pack index/);
      expect(await service.exited).toEqual({ code: 1, signal: null });
      expect(stderrProblems(service)).toEqual([]);
    },
  })),
  {
    id: "7-boot-order-import",
    title:
      "token and undeclared names are gone before a module is imported, and nothing listens yet",
    verifies: ["7.boot-order", "7.no-token", "7.filtered"],
    needs: "process",
    async run({ start }) {
      const index = indexOf({ tools: [tool("atImport", "at-import.mjs")] });
      const text = "const seen = Object.keys(process.env); export default () => seen;";
      const service = await start({
        pack: { index, files: { "at-import.mjs": text } },
        env: { UNDECLARED_NAME: "x" },
      });
      const seen = output(await callTool(service, "atImport"));
      expect(seen).toContain("PATH");
      expect(seen).not.toContain("KINDGI_PACK_SERVICE_TOKEN");
      expect(seen).not.toContain("UNDECLARED_NAME");
      const events = service.records.all.map((record) => record.event);
      expect(events.indexOf("env-dropped")).toBeLessThan(events.indexOf("listening"));
    },
  },
  {
    id: "7-boot-order-config",
    title: "a wrong configuration is told before the index is looked at",
    verifies: ["7.boot-order", "7.config-invalid"],
    needs: "process",
    async run({ spawn }) {
      const service = spawn({ pack: { index: "no JSON" }, env: { PORT: "x" } });
      await service.records.event("config-invalid");
      await service.exited;
      expect(service.records.count((record) => record.event === "boot-failed")).toBe(0);
    },
  },
  {
    id: "7-port-taken",
    title: "a port that is taken is a boot problem",
    verifies: ["7.boot-failed", "7.port", "8.problems"],
    needs: "process",
    async run({ spawn }) {
      const taken = createServer().listen(0, "127.0.0.1");
      await once(taken, "listening");
      const { port } = taken.address() as AddressInfo;
      const service = spawn({ env: { PORT: String(port) } });
      const { problems } = await service.records.event("boot-failed");
      expect(String(problems)).toContain(String(port));
      expect(await service.exited).toEqual({ code: 1, signal: null });
      taken.close();
    },
  },
  ...(["SIGTERM", "SIGINT"] as const).map((signal): Case => ({
    id: `7-early-${signal}`,
    title: `${signal} during a pending top-level await ends the boot`,
    verifies: ["7.early-signal"],
    needs: "process",
    async run({ spawn }) {
      const index = { ...fixtureIndex(), tools: [tool("slow", "slow.mjs")], guardrails: [] };
      const text = `process.stderr.write("importing\\n"); ${importsForever}`;
      const service = spawn({ pack: { index, files: { "slow.mjs": text } } });
      while (!service.stderr().includes("importing"))
        await new Promise((resolve) => setTimeout(resolve, 5));
      service.signal(signal);
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expect(service.records.count((record) => record.event === "listening")).toBe(0);
    },
  })),
  {
    id: "4-typescript",
    title: "a TypeScript module is loaded as it is, or a boot problem says what to do",
    verifies: ["4.tool-shapes", "7.boot-failed"],
    needs: "process",
    async run({ target, spawn }) {
      const service = spawn({
        bareArgs: true,
        args: ["--index", TYPESCRIPT_INDEX, "--host", "127.0.0.1"],
      });
      if (target.name === "node20") {
        const { problems } = await service.records.event("boot-failed");
        expect(problems).toEqual([expect.stringMatching(/typed\.ts.*TypeScript.*22\.18/s)]);
      } else {
        await service.records.event("listening");
        expect(output(await callTool(service, "typed", { name: "T" }))).toEqual({
          label: "typed T",
        });
        await service.stop();
        expect(stderrProblems(service)).toEqual([]);
      }
    },
  },
  {
    id: "7-boot-exception",
    title: "an exception outside a module's import, while the pack loads, is a boot failure",
    verifies: ["7.exception", "7.boot-failed"],
    needs: "process",
    async run({ spawn }) {
      const index = indexOf({ tools: [tool("slow", "slow.mjs")] });
      const text = `setTimeout(() => { throw new Error("in a timer at boot"); }, 0); ${importsForever}`;
      const service = spawn({ pack: { index, files: { "slow.mjs": text } } });
      await service.records.event("pack-fault");
      expect(await service.exited).toMatchObject({ code: 1 });
    },
  },
];
