import { expect } from "vitest";
import { json, output } from "../answer.ts";
import type { Case } from "../case.ts";
import { callCheck, callTool } from "../messages.ts";
import { fixtureIndex, guardrail, indexOf, tool } from "../packs.ts";
import type { RequirementId } from "../requirements.ts";

interface Row {
  id: string;
  verifies: RequirementId[];
  index: unknown;
  /** Each is matched by at least one problem. */
  problems: RegExp[];
}

const echo = "modules/echo.mjs";
const evaluate = "modules/check-evaluate.mjs";

function without(entry: object, member: string): object {
  return { ...entry, [member]: undefined };
}

const rows: Row[] = [
  ...[undefined, 2, "1", null].map((v): Row => ({
    id: `3-v-${JSON.stringify(v)}`,
    verifies: ["3.v"],
    index: { ...indexOf({}), v },
    problems: [/\bv\b/],
  })),
  ...["packId", "packVersion", "artifactVersion"].flatMap((name) =>
    [undefined, "", 7, null].map((value): Row => ({
      id: `3-${name}-${JSON.stringify(value)}`,
      verifies: ["3.ids"],
      index: indexOf({}, { [name]: value }),
      problems: [new RegExp(name)],
    })),
  ),
  ...["a\nb", "a\u0000b", "ä😀", "\r"].map((value): Row => ({
    id: `3-artifact-${JSON.stringify(value)}`,
    verifies: ["3.artifact-header"],
    index: indexOf({}, { artifactVersion: value }),
    problems: [/artifactVersion/],
  })),
  ...["tools", "guardrails"].flatMap((name) =>
    [undefined, null, {}, "text"].map((value): Row => ({
      id: `3-${name}-${JSON.stringify(value)}`,
      verifies: ["3.arrays"],
      index: indexOf({}, { [name]: value }),
      problems: [new RegExp(name)],
    })),
  ),
  ...["agents", "flows"].map((name): Row => ({
    id: `3-${name}-object`,
    verifies: ["3.arrays"],
    index: indexOf({}, { [name]: {} }),
    problems: [new RegExp(name)],
  })),
  ...["id", "input", "output", "modulePath"].map((name): Row => ({
    id: `3-tool-without-${name}`,
    verifies: ["3.tool"],
    index: indexOf({ tools: [tool("good", echo), without(tool("bad", echo), name)] }),
    problems: [new RegExp(`(bad|tools.{0,3}1).*${name}|${name}.*(bad|tools.{0,3}1)`)],
  })),
  ...["kind", "action", "checkModulePath", "id"].map((name): Row => ({
    id: `3-guardrail-without-${name}`,
    verifies: ["3.guardrail"],
    index: indexOf({ guardrails: [without(guardrail("bad", evaluate), name)] }),
    problems: [new RegExp(name)],
  })),
  {
    id: "3-twice-tool",
    verifies: ["3.twice"],
    index: indexOf({ tools: [tool("same", echo), tool("same", echo)] }),
    problems: [/same/],
  },
  {
    id: "3-twice-version",
    verifies: ["3.twice"],
    index: indexOf({
      tools: [tool("same", echo, { version: "1" }), tool("same", echo, { version: "1" })],
    }),
    problems: [/same/],
  },
  {
    id: "3-twice-check",
    verifies: ["3.twice", "3.check-id"],
    index: indexOf({
      guardrails: [guardrail("one", evaluate), guardrail("two", evaluate, { checkId: "one" })],
    }),
    problems: [/one/],
  },
  ...[
    "../outside.mjs",
    "modules/../../outside.mjs",
    "/etc/outside.mjs",
    "./a/../../outside.mjs",
    "..",
  ].map((path): Row => ({
    id: `3-path-${path}`,
    verifies: ["3.paths"],
    index: indexOf({ tools: [tool("escaping", path)], guardrails: [guardrail("fleeing", path)] }),
    problems: [/escaping|outside|\.\./, /fleeing|outside|\.\./],
  })),
  {
    id: "3-env-shape",
    verifies: ["3.env"],
    index: indexOf({}, { env: { required: "NAME", optional: [1] } }),
    problems: [/env/],
  },
  {
    id: "3-all-at-once",
    verifies: ["7.boot-failed", "3.ids", "3.twice", "3.tool"],
    index: indexOf(
      { tools: [tool("same", echo), tool("same", echo), without(tool("bad", echo), "output")] },
      { packId: "", packVersion: 1 },
    ),
    problems: [/packId/, /packVersion/, /same/, /output/],
  },
  ...[null, [], "text", 7].map((index): Row => ({
    id: `3-no-object-${JSON.stringify(index)}`,
    verifies: ["3.v"],
    index,
    problems: [/object/i],
  })),
];

function fromRow({ id, verifies, index, problems }: Row): Case {
  return {
    id,
    title: "is a problem",
    verifies,
    async run({ target }) {
      const found = await target.problems({ pack: { index: JSON.stringify(index) } });
      for (const problem of problems) {
        expect(
          found.some((text) => problem.test(text)),
          `${problem} in ${JSON.stringify(found)}`,
        ).toBe(true);
      }
    },
  };
}

/** Whole processes are started for these only once: the index's check is the core's. */
const PER_PROCESS = new Set(["3-v-2", "3-all-at-once", "3-path-../outside.mjs", "3-twice-check"]);

export const indexCases: readonly Case[] = [
  ...rows.map(fromRow).map((case_): Case => {
    return PER_PROCESS.has(case_.id) ? case_ : ({ ...case_, needs: "in-process" } as Case);
  }),
  {
    id: "3-unknown",
    title: "unknown members, agents and flows are left alone",
    verifies: ["3.unknown", "3.not-run", "3.tool", "3.guardrail"],
    async run({ service }) {
      const index = indexOf(
        {
          tools: [
            tool("echo", echo, {
              unheardOf: 1,
              limits: { timeoutMs: 1 },
              needsSpec: {},
              spec: null,
            }),
          ],
          guardrails: [
            guardrail("check", evaluate, {
              unheardOf: [],
              severity: "high",
              scope: "input",
              name: "N",
            }),
          ],
        },
        { agents: [{ modulePath: "none.mjs" }, 7], flows: ["anything"], unheardOf: {} },
      );
      const running = await service({ pack: { index } });
      output(await callTool(running, "echo"));
      output(await callCheck(running, "check"));
    },
  },
  {
    id: "3-bare",
    title: "an index without env and entries is served",
    verifies: ["3.env", "2.info"],
    async run({ service }) {
      const running = await service({ pack: { index: indexOf({}, { publishedAt: undefined }) } });
      expect((await running.send({ path: "/readyz" })).status).toBe(200);
      expect(json(await running.send({ path: "/v1/info" }))).toEqual({
        protocol: 2,
        packId: "contract-pack",
        packVersion: "1.0.0",
        artifactVersion: "artifact-1",
        tools: [],
        checks: [],
        missingEnv: [],
      });
    },
  },
  {
    id: "3-check-id",
    title: "a check is called by checkId, else by id",
    verifies: ["3.check-id"],
    async run({ service }) {
      output(await callCheck(await service(), "called-by-this"));
      output(await callCheck(await service(), "check-default"));
    },
  },
  {
    id: "3-versions-beside",
    title: "one tool with and without a version, side by side",
    verifies: ["3.versions"],
    async run({ service }) {
      const index = indexOf({
        tools: [
          tool("t", "modules/versioned-1.mjs"),
          tool("t", "modules/versioned-2.mjs", { version: "2" }),
        ],
      });
      const { tools } = json(await (await service({ pack: { index } })).send({ path: "/v1/info" }));
      expect(tools).toEqual([{ id: "t" }, { id: "t", version: "2" }]);
    },
  },
  {
    id: "3-shared-module",
    title: "entries that name one module share it",
    verifies: ["3.shared-module", "3.paths"],
    async run({ start }) {
      const index = fixtureIndex();
      index.tools.push(tool("state-c", "./modules/state.mjs"));
      const service = await start({ pack: { index } });
      const counts: number[] = [];
      for (const id of ["state-a", "state-b", "state-c"])
        counts.push(output(await callTool(service, id)).count);
      expect(counts.map((count) => count - (counts[0] ?? 0))).toEqual([0, 1, 2]);
    },
  },
];
