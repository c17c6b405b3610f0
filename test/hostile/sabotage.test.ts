import { describe, expect, test } from "vitest";
import { json } from "../contract/answer.ts";
import { processTarget, stderrProblems } from "../contract/process.ts";
import { indexOf, tool } from "../contract/packs.ts";
import type { PackSource, ProcessService } from "../contract/target.ts";

/** What pack code does to the realm it shares with the service, by what it replaces. */
const SABOTAGE: Readonly<Record<string, string>> = {
  "JSON.parse and JSON.stringify": `JSON.parse = JSON.stringify = () => "sabotage";`,
  "Promise.prototype.then": `Promise.prototype.then = Promise.prototype.catch = function () { return this; };`,
  "Promise.race and Promise.all": `Promise.race = Promise.all = () => { throw new Error("sabotage"); };`,
  "Object.prototype.toJSON": `Object.prototype.toJSON = () => "sabotage";`,
  "Array.prototype.toJSON": `Array.prototype.toJSON = () => "sabotage";`,
  "String.prototype.toJSON": `String.prototype.toJSON = () => "sabotage";`,
  "setters on Object.prototype": `for (const name of ["code", "message", "outcome", "output", "result", "issues", "subject"])
    Object.defineProperty(Object.prototype, name, { set() { throw new Error("sabotage"); }, configurable: true });`,
  "Object.keys and Object.entries": `Object.keys = Object.entries = Object.values = () => ["sabotage"];`,
  "Object.assign": `Object.assign = () => { throw new Error("sabotage"); };`,
  "Reflect.apply": `Reflect.apply = () => { throw new Error("sabotage"); };`,
  "Array.isArray": `Array.isArray = () => false;`,
  "performance.now": `performance.now = () => { throw new Error("sabotage"); };`,
  "setTimeout and clearTimeout": `globalThis.setTimeout = globalThis.clearTimeout = () => { throw new Error("sabotage"); };`,
  AbortController: `globalThis.AbortController = class { constructor() { throw new Error("sabotage"); } };`,
  "Response and Request": `globalThis.Response = globalThis.Request = class { constructor() { throw new Error("sabotage"); } };`,
  "TextDecoder.prototype.decode": `TextDecoder.prototype.decode = () => "sabotage";`,
  "process.env": `process.env = {};`,
  "process.stderr.write": `process.stderr.write = () => { throw new Error("sabotage"); };`,
  console: `for (const name of Object.keys(console)) console[name] = () => { throw new Error("sabotage"); };`,
  "Error.prepareStackTrace": `Error.prepareStackTrace = () => { throw new Error("sabotage"); };`,
};

const packThat = (sabotage: string): PackSource => ({
  index: indexOf({
    tools: [
      tool("sabotage", "sabotage.mjs"),
      tool("honest", "honest.mjs", {
        input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      }),
      tool("thrower", "thrower.mjs"),
    ],
  }),
  files: {
    "sabotage.mjs": `export default () => { ${sabotage} return "done"; };`,
    "honest.mjs": `export default async ({ n }, ctx) => { ctx.log.info("honest", { n }); return { twice: 2 * n, aborted: ctx.abortSignal.aborted }; };`,
    "thrower.mjs": `export default () => { throw new RangeError("own words"); };`,
  },
});

const invoke = (id: string, input: unknown) => ({
  body: { v: 2, kind: "invoke", tool: { id }, input, ctx: { tenantId: "t", runId: "r" } },
});

/** What a value's own `toJSON` makes of it is what its pack wants sent. */
const CHANGES_ITS_OWN_OUTPUT = new Set(["Object.prototype.toJSON"]);

describe("pack code that replaces what the service could rely on (§2, §8)", () => {
  test.concurrent.each(Object.entries(SABOTAGE))("%s", async (name, sabotage) => {
    const service = await processTarget("node20").start({ pack: packThat(sabotage) });
    let hasEnded = false;
    void service.exited.then(() => (hasEnded = true));
    try {
      await expectHonesty(service, name);
    } finally {
      // A sabotage that works may have broken the drain.
      if (!hasEnded) process.kill(service.pid, "SIGKILL");
    }
  });
});

async function expectHonesty(service: ProcessService, name: string): Promise<void> {
  await service.send(invoke("sabotage", null));
  const honest = await service.send(invoke("honest", { n: 21 }));
  if (!CHANGES_ITS_OWN_OUTPUT.has(name)) {
    expect(json(honest)).toEqual({ v: 2, kind: "result", output: { twice: 42, aborted: false } });
  }
  const refused = await service.send(invoke("honest", { n: "x" }));
  expect(json(refused)).toMatchObject({
    code: "input-validation-failed",
    toolId: "honest",
    issues: [{ instancePath: "/n", keyword: "type", message: "must be integer" }],
  });
  const thrown = await service.send(invoke("thrower", null));
  expect(json(thrown)).toMatchObject({
    code: "handler-throw",
    cause: { name: "RangeError", message: "own words" },
  });
  service.drain();
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(stderrProblems(service)).toEqual([]);
  expect(service.records.count(({ event }) => event === "call")).toBe(4);
}
