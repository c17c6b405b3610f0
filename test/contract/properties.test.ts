import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPackHandler } from "../../src/index.ts";
import type { HandlerContext, PackHandler } from "../../src/index.ts";
import { checkAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { toRequest } from "./in-process.ts";
import { checkInvoke, invoke } from "./messages.ts";
import { guardrail, indexOf, tool } from "./packs.ts";
import { recordProblems } from "./record-shape.ts";
import { TOKEN } from "./target.ts";
import type { CaseRequest } from "./target.ts";

const RUNS = { numRuns: 300 };

/** What pack code does in the call that is being made. */
let behave: (...args: any[]) => unknown = () => ({});

const lines: string[] = [];

const handler: PackHandler = createPackHandler(
  indexOf({
    tools: [
      tool("any", "any.mjs"),
      tool("modelled", "modelled.mjs"),
      tool("plain", "plain.mjs"),
      tool("object", "any.mjs", {
        output: { type: "object", properties: { a: { type: "number" } } },
      }),
    ],
    guardrails: [guardrail("check", "check.mjs")],
  }),
  {
    "any.mjs": { default: (...args: unknown[]) => behave(...args) },
    "check.mjs": { evaluate: (...args: unknown[]) => behave(...args) },
    "modelled.mjs": {
      default: (input: unknown) => typeof input,
      inputZod: { "~standard": { validate: () => behave() } },
    },
    "plain.mjs": {
      default: (input: unknown, ctx: HandlerContext) => {
        ctx.log.info("plain", { secret: ctx.secrets.KEY });
        return { input, ctx: { ...ctx, abortSignal: ctx.abortSignal.aborted } };
      },
    },
  },
  { token: TOKEN, logLevel: "trace", onRecord: (record) => lines.push(JSON.stringify(record)) },
);

async function answerTo(request: CaseRequest): Promise<Answer> {
  const response = await handler(toRequest(request));
  return checkAnswer(request, {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  });
}

const bodies = [invoke("any"), invoke("object"), invoke("modelled"), checkInvoke("check")];

async function expectResponses(act: () => unknown): Promise<void> {
  behave = act;
  lines.length = 0;
  for (const body of bodies) {
    const answer = await answerTo({ body, headers: { "kindgi-timeout-ms": "20" } });
    expect(answer.status).toBe(200);
  }
  expect(handler.inFlight).toBe(0);
  const written = lines.splice(0);
  expect(written.flatMap(recordProblems)).toEqual([]);
  expect(written.filter((line) => JSON.parse(line).event === "call")).toHaveLength(bodies.length);
}

const throwing = (what: string) => () => {
  throw new Error(what);
};

/** Makes a value: fast-check looks into what it generates, and some of these values don't stand it. */
type Maker = () => unknown;

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function circular(): unknown {
  const value: Record<string, unknown> = {};
  value.self = [value];
  return value;
}

const plain: fc.Arbitrary<Maker> = fc
  .anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    withSparseArray: true,
    withBoxedValues: true,
  })
  .map((value) => () => value);

const traps = ["get", "has", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf"];
const errorMembers = [
  "toJSON",
  "toString",
  "valueOf",
  "message",
  "stack",
  "name",
  "cause",
  "constructor",
];

/** Values that answer in ways that no plain object does. */
const hostile: fc.Arbitrary<Maker> = fc.oneof(
  fc.constantFrom(...traps).map((trap) => () => new Proxy({ a: 1 }, { [trap]: throwing(trap) })),
  fc
    .string()
    .map(
      (name) => () =>
        Object.defineProperty({}, name, { enumerable: true, get: throwing("getter") }),
    ),
  plain.map((make) => () => ({ toJSON: make })),
  plain.map((make) => () => ({ toJSON: () => make })),
  plain.map((make) => () => ({ issues: make(), value: make() })),
  plain.map((make) => () => ({ issues: [{ message: make(), path: [make(), { key: make() }] }] })),
  fc
    .constantFrom(...traps)
    .chain((trap) => plain.map((make) => () => new Proxy({ a: 1 }, { [trap]: () => make() }))),
  plain.map((make) => () => {
    let reads = 0;
    return new Proxy({ a: 1 }, { get: () => (reads++ % 2 === 0 ? make() : () => make()) });
  }),
  fc.constantFrom(...errorMembers).map(
    (name) => () =>
      Object.defineProperty(new Error("hostile"), name, {
        enumerable: true,
        get: throwing(name),
      }),
  ),
  plain.map(
    (make) => () =>
      Object.assign(new Error("odd"), { message: make(), stack: make(), name: make() }),
  ),
  fc.constantFrom<Maker>(
    revoked,
    circular,
    () => runInNewContext("({ a: [new Date(0), new Map(), 1n] })"),
    () => runInNewContext("Object.assign(new Error('far'), { stack: { toString: null } })"),
    () => runInNewContext("Promise.resolve({ passed: true })"),
    () => runInNewContext("new Proxy(function () {}, {})"),
    () => new (class extends Promise<number> {})((resolve) => resolve(1)),
    () => Object.assign(Promise.resolve(1), { then: throwing("then") }),
    () => Object.freeze(Object.assign(Object.create(null), { a: Object.freeze([1]) })),
    () => ({ issues: Array.from({ length: 2 }) }),
    () => ({ issues: Object.assign([], { length: 3 }) }),
    () => new Uint8ClampedArray(3),
    () => new SharedArrayBuffer(4),
    () => new AggregateError([new Error("a")], "all"),
    () => new Error("a", { cause: circular() }),
    () => new Proxy(new Error("wrapped"), {}),
    () => Object.create(Error.prototype),
    () => ({ __proto__: Error.prototype, message: { toString: throwing("toString") } }),
    () => Symbol("s"),
    () => () => {},
    () =>
      class {
        static a = 1;
      },
    () => new Map([[{}, 1]]),
    () => new WeakMap(),
    () => /x/g,
    () => new Date(Number.NaN),
    () => new BigInt64Array(2),
    () => new DataView(new ArrayBuffer(3)),
    () => globalThis,
    () => Promise.resolve(1),
    () => new AbortController().signal,
    () => new Response("x"),
    () => 10n,
    () => -0,
    () => Number.NaN,
  ),
);

type Settle = (value: unknown) => void;

/** Promises that aren't. */
const thenables: fc.Arbitrary<Maker> = fc.tuple(plain, plain).chain(([first, second]) =>
  fc.constantFrom<Maker>(
    () => ({ then: () => {} }),
    () => ({ then: throwing("then") }),
    () => ({ then: (resolve: Settle) => [resolve(first()), resolve(second())] }),
    () => ({
      then(resolve: Settle) {
        resolve(first());
        throw second();
      },
    }),
    () => ({ then: (_: Settle, reject: Settle) => [reject(first()), reject(second())] }),
    () => ({ then: (resolve: Settle) => void setTimeout(resolve, 1, first()) }),
    () => ({ then: (resolve: Settle) => resolve({ then: () => {} }) }),
    () => Object.defineProperty({}, "then", { get: throwing("then") }),
    () => ({ then: 7 }),
  ),
);

const anything: fc.Arbitrary<Maker> = fc.oneof(
  plain,
  hostile,
  hostile.map((make) => () => ({ a: [make()] })),
);

const checkResults: fc.Arbitrary<Maker> = fc
  .record(
    {
      passed: fc.oneof(
        fc.boolean().map((passed) => () => passed),
        anything,
      ),
      reason: anything,
      judgeResponse: anything,
      attributes: anything,
    },
    { requiredKeys: [] },
  )
  .map(
    (makers) => () =>
      Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make?.()])),
  );

describe("whatever pack code does, the answer is a response of the protocol (§2)", () => {
  test("returns", async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(anything, checkResults), expectResponses), RUNS);
  });

  test("throws and rejects", async () => {
    await fc.assert(
      fc.asyncProperty(anything, fc.boolean(), (make, isAsync) =>
        expectResponses(() => {
          if (isAsync) return Promise.reject(make());
          throw make();
        }),
      ),
      RUNS,
    );
  });

  test("returns thenables", async () => {
    await fc.assert(fc.asyncProperty(thenables, expectResponses), { numRuns: 60 });
  });
});

const token = fc.oneof(
  { weight: 6, arbitrary: fc.constant(TOKEN) },
  fc.string({ unit: "grapheme-ascii" }),
);
const headerValue = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
  .map((text) => text.replaceAll("\x7f", ""));

const message = fc.record(
  {
    v: fc.oneof({ weight: 4, arbitrary: fc.constant(2) }, fc.jsonValue()),
    kind: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("invoke", "check-invoke") },
      fc.jsonValue(),
    ),
    tool: fc.oneof(
      fc.record({ id: fc.constantFrom("any", "object", "__proto__", "") }),
      fc.jsonValue(),
    ),
    check: fc.oneof(fc.record({ id: fc.constantFrom("check", "none") }), fc.jsonValue()),
    input: fc.jsonValue(),
    config: fc.oneof(fc.constant({}), fc.jsonValue()),
    trace: fc.jsonValue(),
    ctx: fc.oneof(fc.constant({ tenantId: "t", runId: "r" }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
  message.map((value) => new TextEncoder().encode(JSON.stringify(value))),
  fc.tuple(message, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    bytes[at % bytes.length] = byte;
    return bytes;
  }),
);

/** What a handler can do to what it was given, now or once its call has been answered. */
const spoil: fc.Arbitrary<(given: any[]) => unknown> = fc.constantFrom<(given: any[]) => unknown>(
  ([input]) => Object.assign(input, { list: null, added: 1 }),
  ([input]) => input.list.splice(0),
  ([input]) => Object.setPrototypeOf(input, null),
  ([input]) => Object.freeze(input),
  ([, ctx]) => Object.freeze(ctx),
  ([, ctx]) => Object.assign(ctx, { tenantId: 7, requestId: {}, runId: null }),
  ([, ctx]) => Object.keys(ctx).forEach((name) => delete ctx[name]),
  ([, ctx]) => ctx.secrets && delete ctx.secrets.KEY,
  ([, ctx]) => Object.assign(ctx, { secrets: null, abortSignal: null }),
  ([, ctx]) => ctx.env && Object.freeze(ctx.env),
  ([, ctx]) => ctx.log?.child({ a: 1 }).info("late", ctx),
  ([, ctx]) => Object.assign(ctx.log ?? {}, { info: null, child: null }),
  ([, ctx]) => ctx.abortSignal?.addEventListener("abort", () => {}),
  ([, ctx]) => ctx.abortSignal?.dispatchEvent(new Event("abort")),
  (given) => given.splice(0),
);

describe("what a handler does to what it was given disturbs no other call (§4)", () => {
  const input = { list: [1, { a: 2 }], text: "x" };
  const ctx = { tenantId: "t", runId: "r", env: { E: "e" }, secrets: { KEY: "the-secret-1" } };
  const callOf = (id: string, requestId: string) => ({
    body: invoke(id, structuredClone(input), { ...structuredClone(ctx), requestId }),
  });

  test("whether during its call or after", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(spoil, { minLength: 1, maxLength: 4 }), async (spoils) => {
        let kept: unknown[] = [];
        behave = (...given) => {
          kept = given;
          const [, { secrets, log }] = given;
          const { KEY } = secrets;
          for (const act of spoils.slice(1)) attempt(act, given);
          log.info(`uses ${KEY}`);
          return {};
        };
        await answerTo(callOf("any", "spoilt"));
        for (const act of spoils) attempt(act, kept);
        const { output } = JSON.parse((await answerTo(callOf("plain", "next"))).text);
        const { secrets: _, ...visible } = ctx;
        expect(output.input).toEqual(input);
        expect(output.ctx).toEqual({ ...visible, requestId: "next", abortSignal: false });
        const written = lines.splice(0);
        expect(written.flatMap(recordProblems)).toEqual([]);
        expect(written.join()).not.toContain("the-secret-1");
        const calls = written
          .map((line) => JSON.parse(line))
          .filter(({ event }) => event === "call");
        expect(calls.map(({ requestId }) => requestId)).toEqual(["spoilt", "next"]);
        expect(calls.map(({ tenantId }) => tenantId)).toEqual(["t", "t"]);
      }),
      RUNS,
    );
  });
});

function attempt(act: (given: any[]) => unknown, given: any[]): void {
  try {
    act(given);
  } catch {
    // What is frozen or gone can't be spoilt further.
  }
}

describe("whatever arrives, the answer is one the contract lists (§1, §2)", () => {
  test("bodies", async () => {
    behave = () => ({});
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (bytes, inChunks) => {
        const chunks = async function* () {
          for (let at = 0; at < bytes.length; at += 7) yield bytes.slice(at, at + 7);
        };
        const answer = await answerTo({ body: inChunks ? chunks : bytes });
        expect(answer.status).toBe(200);
      }),
      { numRuns: 500 },
    );
  });

  test("paths, methods and headers", async () => {
    behave = () => ({});
    const segment = fc.constantFrom(
      "v1",
      "invoke",
      "info",
      "healthz",
      "readyz",
      "",
      ".",
      "__proto__",
      "%2e",
      "?a=b",
      "#x",
    );
    const path = fc.oneof(
      fc.constantFrom("/v1/invoke", "/v1/info", "/healthz", "/readyz"),
      fc.array(segment).map((segments) => `/${segments.join("/")}`),
      fc.webPath().map((text) => `/${text}`),
    );
    const names = [
      "content-type",
      "kindgi-timeout-ms",
      "kindgi-run-id",
      "kindgi-request-id",
      "traceparent",
      "content-length",
    ];
    const headers = fc.dictionary(fc.constantFrom(...names), headerValue);
    const method = fc.constantFrom(
      "GET",
      "POST",
      "HEAD",
      "PUT",
      "DELETE",
      "OPTIONS",
      "PATCH",
      "get",
      "BREW",
    );
    await fc.assert(
      fc.asyncProperty(
        path,
        method,
        headers,
        token,
        body,
        async (where, how, extra, given, bytes) => {
          const hasBody = !["GET", "HEAD", "get"].includes(how);
          const request: CaseRequest = {
            path: where,
            method: how,
            headers: { "kindgi-pack-token": given.trim(), ...extra },
            ...(hasBody && { body: bytes }),
          };
          expect((await answerTo(request)).status).not.toBe(500);
        },
      ),
      { numRuns: 500 },
    );
    expect(handler.inFlight).toBe(0);
    expect(lines.splice(0).flatMap(recordProblems)).toEqual([]);
  });
});
