import { describe, expect, test } from "vitest";
import type { Answer } from "../contract/answer.ts";
import { json } from "../contract/answer.ts";
import { processTarget, stderrProblems } from "../contract/process.ts";
import { indexOf, tool } from "../contract/packs.ts";
import type { Exit, PackSource, ProcessService } from "../contract/target.ts";
import { RUNTIMES } from "./faults-service.ts";
import { limitOf } from "./sabotage-limits.ts";
import { WAYS } from "./sabotage-ways.ts";

/** Longest wait for all answers, and then for the exit: only what is broken takes so long. */
const MAX_WAIT_MS = 20_000;

const packThat = (sabotage: string): PackSource => ({
  index: indexOf({
    tools: [
      tool("sabotage", "sabotage.mjs"),
      tool("honest", "honest.mjs", {
        input: {
          type: "object",
          properties: { n: { type: "integer" }, text: { type: "string", default: "by default" } },
          required: ["n"],
          additionalProperties: false,
        },
      }),
      tool("thrower", "thrower.mjs"),
    ],
  }),
  files: {
    "sabotage.mjs": `export default () => { ${sabotage}\n return "done"; };`,
    "honest.mjs": `export default async ({ n, text }, ctx) => {
      ctx.log.info("honest", { n, deep: { password: "p", list: [1.5, "Bearer secret"] } });
      return { twice: 2 * n, text, aborted: ctx.abortSignal.aborted };
    };`,
    "thrower.mjs": `export default () => { throw new RangeError("own words"); };`,
  },
});

interface Observed {
  honest: Answer | undefined;
  refused: Answer | undefined;
  thrown: Answer | undefined;
  exit: Exit;
  service: ProcessService;
}

/** Makes calls after the sabotage, asks for the end, and sees what comes. */
async function observe(service: ProcessService): Promise<Observed> {
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  const call = (id: string, input: unknown) => {
    const ctx = { tenantId: "t", runId: "r" };
    const body = { v: 2, kind: "invoke", tool: { id }, input, ctx };
    return service.send({ body, signal }).catch((): undefined => undefined);
  };
  await call("sabotage", null);
  const honest = await call("honest", { n: 21 });
  const refused = await call("honest", { n: "x" });
  const thrown = await call("thrower", null);
  service.drain();
  const timer = setTimeout(() => process.kill(service.pid, "SIGKILL"), MAX_WAIT_MS);
  const exit = await service.exited;
  clearTimeout(timer);
  return { honest, refused, thrown, exit, service };
}

/** What a value's own `toJSON` makes of it is what its pack wants sent. */
const CHANGES_ITS_OWN_OUTPUT = new Set(["toJSON of every object"]);

function expectHonesty(way: string, { honest, refused, thrown, exit, service }: Observed): void {
  if (!CHANGES_ITS_OWN_OUTPUT.has(way)) {
    const output = { twice: 42, text: "by default", aborted: false };
    expect(honest && json(honest)).toEqual({ v: 2, kind: "result", output });
  }
  expect(refused && json(refused)).toMatchObject({
    code: "input-validation-failed",
    toolId: "honest",
    issues: [{ instancePath: "/n", keyword: "type", message: "must be integer" }],
  });
  expect(thrown && json(thrown)).toMatchObject({
    code: "handler-throw",
    cause: { name: "RangeError", message: "own words" },
  });
  expect(exit).toEqual({ code: 0, signal: null });
  expect(stderrProblems(service)).toEqual([]);
  const { records } = service;
  expect(records.count(({ event }) => event === "call")).toBe(4);
  expect(records.all.find(({ message }) => message === "honest")).toMatchObject({
    n: 21,
    deep: { password: "[redacted]", list: [1.5, "Bearer [redacted]"] },
  });
  expect(records.all.at(-1)?.event).toBe("stopped");
}

/** An answer may be missing or an error, but never a result that the call doesn't have. */
function expectNoLie({ honest, refused, thrown }: Observed): void {
  const results = [refused, thrown].filter((answer) => answer && isResult(answer));
  expect(results).toEqual([]);
  if (honest && isResult(honest)) expect(json(honest).output).toMatchObject({ twice: 42 });
}

function isResult({ status, text }: Answer): boolean {
  return status === 200 && text.includes('"kind":"result"');
}

describe.each(RUNTIMES)("pack code that replaces what the service could rely on, %s", (runtime) => {
  test.concurrent.each(Object.entries(WAYS))("%s", async (way, sabotage) => {
    // Named permissions make Deno a single process, where its task would be two.
    const target = processTarget(runtime);
    const service = await target.start({ pack: packThat(sabotage), permissions: ["write"] });
    const observed = await observe(service);
    const limit = limitOf(runtime, way);
    if (limit === undefined) return expectHonesty(way, observed);
    expect(() => expectHonesty(way, observed), `it holds now, though ${limit}`).toThrow();
    expectNoLie(observed);
  });
});
