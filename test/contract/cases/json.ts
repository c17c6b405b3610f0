import { expect } from "vitest";
import { MAX_BODY_BYTES } from "../../../src/protocol.ts";
import { failure, json, output, refusal } from "../answer.ts";
import type { Answer } from "../answer.ts";
import type { Case } from "../case.ts";
import { callCheck, callTool, checkInvoke, invoke } from "../messages.ts";
import { guardrail, indexOf, tool } from "../packs.ts";
import type { RequirementId } from "../requirements.ts";
import type { Service } from "../target.ts";

/** Names that objects inherit, or that code asks objects for. */
const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

/** A tool that takes any input and answers in a few bytes. */
const TAKES_ALL = { id: "versioned", version: "1.0.0" };
const ANSWER = { version: "1.0.0" };

/** A call whose input is JSON text, made from how many bytes are left for it. */
function bodyWith(called: object, makeInput: (bytes: number) => string): Uint8Array {
  const message = JSON.stringify({ ...invoke("", "the input"), tool: called });
  const [before = "", after = ""] = message.split('"the input"');
  const input = makeInput(MAX_BODY_BYTES - before.length - after.length);
  return new TextEncoder().encode(`${before}${input}${after}`.padEnd(MAX_BODY_BYTES));
}

/** As many of some items as there is room for, between two brackets. */
function repeated(item: string, [open, close]: readonly [string, string], bytes: number): string {
  const count = Math.floor((bytes - 2) / (item.length + 1));
  return `${open}${Array.from({ length: count }, () => item).join()}${close}`;
}

function nested(open: string, close: string, bytes: number): string {
  const depth = Math.floor((bytes - 1) / (open.length + close.length));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

const LIST = ["[", "]"] as const;
const OBJECT = ["{", "}"] as const;

/** A body of 10 MiB, and what must come of it. */
export interface LargeBody {
  id: string;
  verifies: RequirementId[];
  tool?: object;
  input: (bytes: number) => string;
  expects?: (answer: Answer) => void;
}

const accepted = (answer: Answer) => expect(output(answer)).toEqual(ANSWER);
const malformed = (answer: Answer) => void failure(answer, "malformed-message");

function refusedItems(answer: Answer): void {
  expect(failure(answer, "input-validation-failed").issues).toHaveLength(100);
  expect(answer.text.length).toBeLessThan(100_000);
}

/** Bodies of the most that is accepted. Each may hold its service's thread for some seconds. */
export const largeBodies: readonly LargeBody[] = [
  {
    id: "brackets",
    verifies: ["2.malformed-message"],
    input: (bytes) => "[".repeat(bytes),
    expects: malformed,
  },
  { id: "deep-lists", verifies: ["1.413-limit"], input: (bytes) => nested("[", "]", bytes) },
  { id: "deep-objects", verifies: ["1.413-limit"], input: (bytes) => nested('{"a":', "}", bytes) },
  { id: "digits", verifies: ["1.413-limit"], input: (bytes) => "9".repeat(bytes) },
  {
    id: "infinite",
    verifies: ["5.infinite"],
    tool: { id: "many" },
    input: (bytes) => `[${"9".repeat(bytes - 2)}]`,
    expects: (answer) => void failure(answer, "input-validation-failed"),
  },
  { id: "fraction", verifies: ["1.413-limit"], input: (bytes) => `0.${"9".repeat(bytes - 2)}` },
  { id: "numbers", verifies: ["1.413-limit"], input: (bytes) => repeated("1", LIST, bytes) },
  { id: "text", verifies: ["1.413-limit"], input: (bytes) => `"${"a".repeat(bytes - 2)}"` },
  {
    id: "escapes",
    verifies: ["1.413-limit"],
    input: (bytes) => `"${"\\ud800".repeat(Math.floor((bytes - 2) / 6))}"`,
  },
  {
    id: "keys",
    verifies: ["1.413-limit"],
    input: (bytes) => {
      const members = Array.from({ length: Math.floor(bytes / 10) - 1 }, (_, i) => {
        return `"${i.toString(36).padStart(5, "_")}":1`;
      });
      return `{${members.join()}}`;
    },
  },
  {
    id: "same-keys",
    verifies: ["1.413-limit"],
    input: (bytes) => repeated('"a":1', OBJECT, bytes),
  },
  {
    id: "proto-keys",
    verifies: ["2.proto"],
    input: (bytes) => repeated('"__proto__":{"polluted":1}', OBJECT, bytes),
  },
  {
    id: "bad-items",
    verifies: ["2.issues-all"],
    tool: { id: "many" },
    input: (bytes) => repeated('""', LIST, bytes),
    expects: refusedItems,
  },
];

/** A large body is answered like any other, and so is the next call. */
async function expectAnswered(
  service: Service,
  { tool: called = TAKES_ALL, input, expects = accepted }: LargeBody,
): Promise<void> {
  expects(await service.send({ body: bodyWith(called, input) }));
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  output(await callTool(service, "echo"));
}

/** A service whose thread no other case waits for. In-process they run in a file of their own, for the same reason. */
const ALONE = { maxConcurrency: 31 };

const fromLargeBody = (body: LargeBody): Case => ({
  id: `2-10MiB-${body.id}`,
  title: "a body of 10 MiB is answered like any other, and so is the next call",
  verifies: [...body.verifies, "2.valid-200"],
  needs: "process",
  run: async ({ service }) => expectAnswered(await service(ALONE), body),
});

/** What a value comes back as when it has been read and written once. */
const onceThrough: Record<string, unknown> = {
  '{"a":1e999}': { a: null },
  "-1e999": null,
  "-0": 0,
  "1E+2": 100,
  "9007199254740993": 9007199254740992,
  "123456789012345678901234567890": 123456789012345680000000000000,
  "0.1000000000000000055511151231257827": 0.1,
  '{"a":1,"b":2,"a":3}': { a: 3, b: 2 },
  '{"":{"":[]}}': { "": { "": [] } },
  '"\\ud800"': "\ud800",
  '"\\udc00\\ud800"': "\udc00\ud800",
  '{"\\ud83d":"\\ude00"}': { "\ud83d": "\ude00" },
  '"\\u0000\\u2028\\/"': "\u0000\u2028/",
};

const named = <T>(make: (name: string) => T): Record<string, T> =>
  Object.fromEntries(NAMES.map((name) => [name, make(name)]));

/** A pack that calls everything by such names. */
const NAMED_PACK = {
  index: indexOf(
    {
      tools: NAMES.flatMap((id) => [
        tool(id, "modules/echo.mjs", { version: id }),
        tool(id, "modules/echo.mjs", { version: "1" }),
      ]),
      guardrails: NAMES.map((id) => guardrail(id, "modules/check-evaluate.mjs")),
    },
    named((name) => name),
  ),
};

function sendText(service: Service, text: string): Promise<Answer> {
  const message = JSON.stringify(invoke("echo", "the input"));
  return service.send({ body: message.replace('"the input"', () => text) });
}

export const jsonCases: readonly Case[] = [
  ...largeBodies.map(fromLargeBody),
  ...Object.entries(onceThrough).map(([text, value]): Case => ({
    id: `2-json-${text.slice(0, 40)}`,
    title: `${text} arrives as JSON.parse reads it, and goes back as JSON.stringify writes it`,
    verifies: ["2.utf8", "2.valid-200"],
    async run({ service }) {
      expect(output(await sendText(await service(), text)).input).toEqual(value);
    },
  })),
  {
    id: "2-names-of-entries",
    title: "tools, versions and checks may be called what objects inherit",
    verifies: ["2.proto", "3.versions", "3.unknown", "2.tool-version-mismatch"],
    async run({ service }) {
      const running = await service({ pack: NAMED_PACK });
      for (const id of NAMES) {
        for (const version of [id, "1"]) {
          const body = { ...invoke(id, version), tool: { id, version } };
          expect(output(await running.send({ body })).input).toBe(version);
        }
        const wrong = { ...invoke(id), tool: { id, version: "valueOf" } };
        const { toolId } = failure(await running.send({ body: wrong }), "tool-version-mismatch");
        expect(toolId).toBe(id);
        output(await callCheck(running, id));
      }
      failure(await callTool(running, "valueOf"), "tool-not-in-pack");
      failure(await callCheck(running, "valueOf"), "check-not-in-pack");
      const info = json(await running.send({ path: "/v1/info" }));
      expect(info.checks).toEqual(NAMES);
    },
  },
  {
    id: "2-names-in-messages",
    title: "such names are data wherever a message takes a name",
    verifies: ["2.proto", "2.ctx-members", "4.hidden", "1.call-ids"],
    async run({ service }) {
      const running = await service();
      const values = named((name) => name);
      const input = named(() => ({ ...values, deep: [{ ...values, list: NAMES }] }));
      const ids = { tenantId: "__proto__", runId: "constructor", requestId: "toString" };
      const members = { ...values, env: values, config: values, settings: { ...values } };
      const headers = { ...values, "kindgi-run-id": "__proto__" };
      const body = { ...invoke("echo", input, { ...members, ...ids }), ...named(() => 1) };
      const echoed = output(await running.send({ body, headers }));
      expect(JSON.stringify(echoed.input)).toBe(JSON.stringify(input));
      const { abortSignal: _, ...ctx } = echoed.ctx;
      expect(ctx).toEqual(JSON.parse(JSON.stringify(body.ctx)));
      const context = await callTool(running, "context", {}, { ctx: { secrets: values } });
      expect(output(context).secrets).toEqual(NAMES);
      const check = await running.send({ body: checkInvoke("check-evaluate", values, values) });
      expect(JSON.stringify(output(check).config)).toBe(JSON.stringify(values));
      const record = await running.records.call("toString");
      expect(record).toMatchObject(ids);
    },
  },
  {
    id: "2-names-in-env",
    title: "no environment holds a name because objects inherit it",
    verifies: ["1.503-missing-env", "3.env"],
    async run({ service }) {
      const env = { required: NAMES, optional: ["valueOf"] };
      const running = await service({ pack: { index: indexOf({}, { env }) } });
      const { missingEnv } = refusal(await running.send({ path: "/readyz" }), 503);
      expect(missingEnv).toEqual(NAMES.toSorted());
    },
  },
  {
    id: "8-deep-secrets",
    title: "secrets deeper than the stack, and thousands of them, are masked all the same",
    verifies: ["8.no-secrets"],
    async run({ service }) {
      const running = await service();
      const deep = `${"[".repeat(100_000)}"deep-secret-1"${"]".repeat(100_000)}`;
      const many = Array.from({ length: 20_000 }, (_, i) => `"many-secret-${i}"`).join();
      for (const secrets of [
        `{"API_KEY":"deep-secret-1","d":${deep}}`,
        `{"API_KEY":"many-secret-7","m":[${many}]}`,
      ]) {
        const message = invoke("log", {}, { secrets: "the secrets" });
        const body = JSON.stringify(message).replace('"the secrets"', () => secrets);
        output(await running.send({ body }));
        const { requestId } = message.ctx;
        await running.records.call(requestId);
        const lines = running.records.all.filter((record) => record.requestId === requestId);
        expect(lines.length).toBeGreaterThan(5);
        expect(JSON.stringify(lines)).not.toMatch(/deep-secret|many-secret/);
      }
    },
  },
];
