import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { createPackHandler, isPackError, PackError } from "../../src/index.ts";
import type { LogRecord, PackHandler, PackHandlerOptions, PackModules } from "../../src/index.ts";

const index = {
  v: 1,
  packId: "p",
  packVersion: "1",
  artifactVersion: "20260101.1",
  tools: [{ id: "t", input: {}, output: {}, modulePath: "t.mjs" }],
  guardrails: [],
};

const token = "test-token";

type Handler = (input: never, ctx: { abortSignal: AbortSignal }) => unknown;

function handlerOf(handler: Handler, options: PackHandlerOptions = {}) {
  return createPackHandler(index, { "t.mjs": { handler } }, { token, ...options });
}

function call(init: RequestInit = {}, input: unknown = null): Request {
  const ctx = { tenantId: "t", runId: "r" };
  return new Request("http://host/v1/invoke", {
    method: "POST",
    headers: { "kindgi-pack-token": token, "content-type": "application/json" },
    body: JSON.stringify({ v: 2, kind: "invoke", tool: { id: "t" }, input, ctx }),
    ...init,
  });
}

const get = (path: string) =>
  new Request(`http://host${path}`, { headers: { "kindgi-pack-token": token } });

async function bodyOf(answer: Promise<Response>) {
  return (await answer).json();
}

/** A handler that waits until it is let go, and tells that it has started. */
function gate() {
  let release!: () => void;
  let enter!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const handler = async () => {
    enter();
    await released;
    return "done";
  };
  return { handler, release, entered };
}

describe("createPackHandler", () => {
  test("works without this, and as a default export's fetch", async () => {
    const exported = { fetch: handlerOf((input) => input) };
    const { fetch } = exported;
    expect(await bodyOf(fetch(call({}, 7)))).toEqual({ v: 2, kind: "result", output: 7 });
    expect(await bodyOf(exported.fetch(call({}, 7)))).toMatchObject({ output: 7 });
  });

  test("throws one error with every problem of an index or a pack at hand", () => {
    const broken = {
      ...index,
      tools: [...index.tools, { ...index.tools[0], id: "u", input: { type: "dict" } }],
    };
    const create = () => createPackHandler(broken, {});
    expect(create).toThrow(PackError);
    try {
      create();
    } catch (error) {
      expect(isPackError(error) && error.problems).toEqual([
        "Missing module: t.mjs",
        expect.stringContaining('tool "u" input:'),
      ]);
    }
    expect(() => createPackHandler({ v: 1 }, {})).toThrow(PackError);
  });

  test.each(["t.mjs", "./t.mjs", ".//t.mjs"])("finds the module under %s", async (path) => {
    const handler = createPackHandler(index, { [path]: { run: () => 1 } }, { token });
    expect(await bodyOf(handler(call()))).toMatchObject({ output: 1 });
  });

  test("has its state before, while and after it drains", async () => {
    const { handler: held, release, entered } = gate();
    const handler = handlerOf(held);
    await handler.ready;
    expect([handler.state, handler.inFlight]).toEqual(["ready", 0]);
    const answer = handler(call());
    await entered;
    const drained = handler.drain();
    expect(handler.drain()).toBe(drained);
    expect([handler.state, handler.inFlight]).toEqual(["draining", 1]);
    const refused = await handler(call());
    expect([refused.status, refused.headers.get("connection")]).toEqual([503, "close"]);
    expect(await refused.json()).toEqual({ error: "draining" });
    release();
    expect(await bodyOf(answer)).toMatchObject({ output: "done" });
    await drained;
    expect([handler.state, handler.inFlight]).toEqual(["drained", 0]);
    expect((await handler(get("/healthz"))).status).toBe(200);
    expect((await handler(get("/v1/info"))).status).toBe(200);
    expect(await bodyOf(handler(get("/readyz")))).toEqual({ error: "draining" });
  });

  test("cancels what still runs after the grace period", async () => {
    const handler = handlerOf((_, { abortSignal }) => {
      return new Promise((_resolve, reject) => {
        abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
      });
    });
    const answer = handler(call());
    await handler.drain({ graceMs: 1 });
    expect(await bodyOf(answer)).toMatchObject({ kind: "error", code: "cancelled", toolId: "t" });
  });

  test("lets calls end when the grace period is longer than a timer can hold", async () => {
    const { handler: held, release, entered } = gate();
    const handler = handlerOf(held);
    const answer = handler(call());
    await entered;
    const drained = handler.drain({ graceMs: Infinity });
    // A timer that was set to the same time before this one has gone off by then.
    await new Promise((resolve) => setTimeout(resolve, 1));
    release();
    expect(await bodyOf(answer)).toMatchObject({ output: "done" });
    await drained;
  });

  test("refuses while it drains also a request whose body somebody else reads", async () => {
    const handler = handlerOf(() => 1);
    await handler.drain();
    const request = call();
    request.headers.set("content-length", "100");
    request.body?.getReader();
    expect((await handler(request)).status).toBe(503);
  });

  test.each(["readBody", "onDisconnect"])(
    "answers 500 without a word of a fault in %s, and records it",
    async (seam) => {
      const records: LogRecord[] = [];
      const handler = handlerOf(() => 1, {
        onRecord: (record) => records.push(record),
        [seam]: () => {
          throw new Error("internal detail");
        },
      });
      const answer = await handler(call());
      expect([answer.status, await answer.json()]).toEqual([500, { error: "internal error" }]);
      expect(records).toMatchObject([
        { event: "internal-error", cause: { message: "internal detail" } },
      ]);
      expect(handler.inFlight).toBe(0);
    },
  );

  test.each<[string, (request: Request) => unknown]>([
    ["was read", (request) => request.text()],
    ["is being read", (request) => request.body?.getReader()],
    [
      "fails as one that was read",
      (request) =>
        Object.defineProperty(request, "body", {
          value: new ReadableStream({ start: (body) => body.error(new TypeError("unusable")) }),
        }),
    ],
    ["comes empty", (request) => Object.defineProperty(request, "body", { value: null })],
  ])("says what to change about a request whose body %s before", async (_, spoil) => {
    const handler = handlerOf(() => 1);
    const request = call();
    await spoil(request);
    const answer = await bodyOf(handler(request));
    expect(answer).toMatchObject({ kind: "error", code: "malformed-message" });
    expect(answer.message).toContain("ahead of any body parser");
    expect(handler.inFlight).toBe(0);
  });
});

describe("lazy modules", () => {
  const lazy = (load: () => unknown, options: PackHandlerOptions = {}) =>
    createPackHandler(index, { "./t.mjs": load } satisfies PackModules, { token, ...options });

  test("start to load at once; calls are refused until they are there", async () => {
    let arrive!: (module: unknown) => void;
    const load = vi.fn(() => new Promise((resolve) => (arrive = resolve)));
    const handler = lazy(load);
    expect(load).toHaveBeenCalledOnce();
    expect(handler.state).toBe("loading");
    expect(await bodyOf(handler(get("/readyz")))).toEqual({ error: "not ready" });
    expect((await handler(call())).status).toBe(503);
    expect(await bodyOf(handler(get("/v1/info")))).toMatchObject({
      packId: "p",
      tools: [{ id: "t" }],
    });
    arrive({ default: () => "loaded" });
    await handler.ready;
    expect(await bodyOf(handler(call()))).toMatchObject({ output: "loaded" });
  });

  test("that fail keep the service from being ready, with the problems known", async () => {
    const records: LogRecord[] = [];
    const onRecord = (record: LogRecord) => records.push(record);
    const handler = lazy(() => Promise.reject(new Error("no such thing")), { onRecord });
    await expect(handler.ready).rejects.toMatchObject({
      code: "PACK_INVALID",
      problems: ["Cannot import t.mjs: no such thing"],
    });
    expect(handler.state).toBe("failed");
    expect(await bodyOf(handler(get("/readyz")))).toEqual({ error: "not ready" });
    expect(records).toMatchObject([
      {
        event: "boot-failed",
        kind: "boot-failed",
        problems: ["Cannot import t.mjs: no such thing"],
      },
    ]);
  });

  test("may throw at once, or tell their own problems", async () => {
    const throwing = lazy(() => {
      throw new Error("at once");
    });
    await expect(throwing.ready).rejects.toThrow("at once");
    const telling = lazy(() => Promise.reject(new PackError(["Missing module: t.mjs"])));
    await expect(telling.ready).rejects.toMatchObject({ problems: ["Missing module: t.mjs"] });
  });

  test("that arrive while it drains don't make it ready", async () => {
    let arrive!: (module: unknown) => void;
    const handler = lazy(() => new Promise((resolve) => (arrive = resolve)));
    await handler.drain();
    arrive({ default: () => 1 });
    await handler.ready;
    expect((await handler(get("/readyz"))).status).toBe(503);
  });
});

describe("cancellation (§6)", () => {
  test("follows the request's signal, before and while the call runs", async () => {
    const { handler: held, entered } = gate();
    const handler = handlerOf(held);
    const client = new AbortController();
    const answer = handler(call({ signal: client.signal }));
    await entered;
    client.abort();
    expect(await bodyOf(answer)).toMatchObject({ code: "cancelled" });
    expect(await bodyOf(handler(call({ signal: AbortSignal.abort() })))).toMatchObject({
      code: "cancelled",
    });
    expect(handler.inFlight).toBe(0);
  });

  test("leaves no listener on a signal that outlives its calls", async () => {
    const handler = handlerOf(() => 1);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    for (let i = 0; i < 20; i++) {
      const request = call();
      Object.defineProperty(request, "signal", { value: signal });
      await handler(request);
    }
    expect(added).toHaveBeenCalledTimes(20);
    expect(removed).toHaveBeenCalledTimes(20);
  });
});

describe("the call context (§4)", () => {
  type Context = Record<string, unknown> & {
    secrets: Record<string, unknown>;
    abortSignal: AbortSignal;
  };

  async function contextOf(ctx: object): Promise<Context> {
    let seen: unknown;
    const handler: PackHandler = handlerOf((_, context) => {
      seen = context;
    });
    const body = JSON.stringify({ v: 2, kind: "invoke", tool: { id: "t" }, input: 1, ctx });
    await handler(call({ body }));
    return seen as Context;
  }

  test("holds what the message's does, secrets and log hidden", async () => {
    const secrets = { key: "hush" };
    const context = await contextOf({
      tenantId: "t",
      runId: "r",
      secrets,
      settings: { a: 1 },
      log: "mine",
    });
    expect(Object.keys(context).toSorted()).toEqual([
      "abortSignal",
      "runId",
      "settings",
      "tenantId",
    ]);
    expect(context.secrets).toEqual(secrets);
    expect(context.log).toHaveProperty("info");
    expect(JSON.stringify(context)).not.toContain("hush");
    expect({ ...context }).not.toHaveProperty("secrets");
    expect({ ...context }.abortSignal).toBe(context.abortSignal);
  });

  test("has secrets also when the message brings none, and no prototype from the caller", async () => {
    const ctx = JSON.parse('{"tenantId":"t","runId":"r","__proto__":{"admin":true}}');
    const context = await contextOf(ctx);
    expect(context.secrets).toEqual({});
    expect(context.admin).toBeUndefined();
    expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
  });

  test.each<[string, (context: Context) => Context]>([
    ["an object that inherits from it", (context) => Object.create(Object.create(context))],
    ["a proxy of it", (context) => new Proxy(context, {})],
    ["a proxy of an object that inherits from it", (c) => new Proxy(Object.create(c), {})],
    ["a copy of its descriptors", (c) => Object.create(null, Object.getOwnPropertyDescriptors(c))],
  ])("serves %s", async (_, make) => {
    const context = await contextOf({ tenantId: "t", runId: "r", secrets: { key: "hush" } });
    const derived = make(context);
    expect(derived.abortSignal).toBe(context.abortSignal);
    expect(derived.secrets).toEqual({ key: "hush" });
    expect(derived.log).toBe(context.log);
    expect([inspect(derived), JSON.stringify({ ...derived })].join()).not.toContain("hush");
  });

  test("lets pack code replace what the service adds", async () => {
    const context = await contextOf({ tenantId: "t", runId: "r" });
    const { signal } = new AbortController();
    context.abortSignal = signal;
    context.log = 1;
    context.secrets = {};
    expect([context.abortSignal, context.log]).toEqual([signal, 1]);
  });
});

test("the missing environment is named in a record, in info and in the refusal (§1.4, §2)", async () => {
  const records: LogRecord[] = [];
  const needy = { ...index, env: { required: ["B", "A", "A", "constructor", "SET"] } };
  const options = {
    token,
    env: { SET: "x", B: "" },
    onRecord: (record: LogRecord) => records.push(record),
  };
  const missingEnv = ["A", "B", "constructor"];
  const strict = createPackHandler(needy, { "t.mjs": { run: () => 1 } }, options);
  expect(await bodyOf(strict(call()))).toEqual({ error: "missing env", missingEnv });
  expect(await bodyOf(strict(get("/v1/info")))).toMatchObject({ missingEnv });
  expect(records).toMatchObject([{ event: "missing-env", level: "error", names: missingEnv }]);
  const lax = createPackHandler(
    needy,
    { "t.mjs": { run: () => 1 } },
    { ...options, envCheck: "warn" },
  );
  expect(await bodyOf(lax(call()))).toMatchObject({ output: 1 });
  expect(records[1]).toMatchObject({ event: "missing-env", level: "warn" });
});
