import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CLIENT_ERROR_CODES,
  createPackClient,
  isPackClientError,
  PackClientError,
} from "../../src/client.ts";
import type { FetchFunction, PackClientOptions } from "../../src/client.ts";
import { REFUSAL_STATUSES } from "../../src/transport.ts";
import { artifactVersion, ctx, FakeClock, json, testHandler, token } from "./client-setup.ts";

const url = "http://pack";
const measured = { durationMs: expect.any(Number), artifactVersion };

function clientOf(fetch: FetchFunction, options: Partial<PackClientOptions> = {}) {
  return createPackClient({ url, token, fetch, ...options });
}

/** A client of a service that always answers the same. */
const answeredBy = (answer: () => Response) => clientOf(async () => answer());

const client = clientOf(testHandler());

const html = () => new Response("<p>secret", { headers: { "content-type": "text/html" } });
const notUtf8 = () => new Response(new Uint8Array([0x22, 0xff, 0x22]));

describe("invoke (§2)", () => {
  test("gives the output, and what the service says of the call", async () => {
    const outcome = await client.invoke("sum", { a: 1, b: 2 }, { ctx, version: "2" });
    expect(outcome).toEqual({ ok: true, output: 3, ...measured });
  });

  test("brings every input and context there as it is", async () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), members, async (input, settings) => {
        const sent = JSON.parse(JSON.stringify({ input, settings }));
        expect(await client.invoke("echo", input, { ctx })).toMatchObject({ output: sent.input });
        const seen = await client.invoke("context", null, { ctx: { ...ctx, settings } });
        expect(seen).toMatchObject({ ok: true, output: { ...ctx, settings: sent.settings } });
      }),
    );
  });

  test.each([
    ["sum", { a: "1" }, "tool-version-mismatch"],
    ["none", null, "tool-not-in-pack"],
    ["throw", null, "handler-throw"],
  ])("gives the error of %s(%j) as an outcome", async (id, input, code) => {
    const outcome = await client.invoke(id, input, { ctx });
    expect(outcome).toEqual(expect.objectContaining({ ok: false, code, toolId: id, ...measured }));
    expect(outcome).not.toHaveProperty("v");
  });

  test("gives issues and cause", async () => {
    const invalid = await client.invoke("sum", { a: "1" }, { ctx, version: "1" });
    expect(invalid).toMatchObject({ issues: [{ instancePath: "/a", keyword: "type" }] });
    const thrown = await client.invoke("throw", null, { ctx });
    expect(thrown).toMatchObject({ cause: { name: "RangeError", message: "too far" } });
  });

  test("gives the service's own deadline as an outcome", async () => {
    const outcome = await client.invoke("wait", null, { ctx, timeoutMs: 1 });
    expect(outcome).toMatchObject({ ok: false, code: "deadline-exceeded", ...measured });
  });

  test("leaves undefined what a service doesn't say", async () => {
    const silent = answeredBy(() => json({ v: 2, kind: "result", output: 1 }));
    const outcome = await silent.invoke("echo", 1, { ctx });
    expect(outcome).toEqual({
      ok: true,
      output: 1,
      durationMs: undefined,
      artifactVersion: undefined,
    });
  });

  test.each([
    ["input", () => client.invoke("echo", undefined, { ctx })],
    ["input", () => client.invoke("echo", 1n, { ctx })],
    ["ctx", () => client.invoke("echo", 1, { ctx: { ...ctx, big: 1n } })],
    ["trace", () => client.check("limit", { trace: undefined })],
    ["runId", () => client.check("limit", { trace: 1, runId: "a\nb" })],
    ["traceparent", () => client.invoke("echo", 1, { ctx, traceparent: "ü" })],
    ...[0, -1, 1.5, Number.NaN, 2 ** 31].map(
      (timeoutMs) => ["timeoutMs", () => client.invoke("echo", 1, { ctx, timeoutMs })] as const,
    ),
  ] as const)("rejects a wrong %s, naming it", async (name, call) => {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(new RegExp(`^${name} `));
  });

  test("sends the protocol's headers (§1)", async () => {
    const requests: Request[] = [];
    const spying = clientOf((request) => {
      requests.push(request);
      return testHandler()(request);
    });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await spying.invoke("echo", 1, {
      ctx: { ...ctx, requestId: "q" },
      timeoutMs: 500,
      traceparent,
    });
    await spying.check("limit", { trace: {}, runId: "r2", requestId: "q2" });
    await spying.invoke("echo", 1, { ctx: { ...ctx, runId: "läuft\n世" } });
    const common = {
      "content-type": "application/json",
      "kindgi-pack-token": token,
      "kindgi-protocol": "2",
    };
    const [first, second, third] = requests.map(({ headers }) => Object.fromEntries(headers));
    expect(first).toEqual({
      ...common,
      "kindgi-timeout-ms": "500",
      "kindgi-run-id": "r1",
      "kindgi-request-id": "q",
      traceparent,
    });
    expect(second).toMatchObject({ "kindgi-run-id": "r2", "kindgi-request-id": "q2" });
    expect(second).toMatchObject({ "kindgi-timeout-ms": "120000" });
    expect(third).not.toHaveProperty("kindgi-run-id");
    expect(requests.every(({ redirect }) => redirect === "manual")).toBe(true);
  });
});

describe("check (§2)", () => {
  test("gives the result, passed or not", async () => {
    const passed = await client.check("limit", { trace: { spent: 10 } });
    expect(passed).toEqual({ ok: true, result: { passed: true }, ...measured });
    const failed = await client.check("limit", { config: { maximum: 5 }, trace: { spent: 10 } });
    expect(failed).toMatchObject({ ok: true, result: { passed: false } });
  });

  test("gives an error as an outcome", async () => {
    const outcome = await client.check("limit", { config: { maximum: "5" }, trace: {} });
    expect(outcome).toMatchObject({ ok: false, code: "input-validation-failed", checkId: "limit" });
  });
});

describe("info and ready (§1)", () => {
  test("info says what the pack holds, and takes an answer without missingEnv", async () => {
    expect(await client.info()).toMatchObject({ packId: "p", artifactVersion, missingEnv: [] });
    const older = {
      protocol: 2,
      packId: "p",
      packVersion: "1",
      artifactVersion: "1",
      tools: [],
      checks: [],
    };
    expect(await answeredBy(() => json(older)).info()).toEqual({ ...older, missingEnv: [] });
  });

  test("ready says whether, and why not", async () => {
    expect(await client.ready()).toEqual({ ready: true });
    const handler = testHandler();
    await handler.drain();
    expect(await clientOf(handler).ready()).toEqual({ ready: false, reason: "draining" });
    const needy = answeredBy(() =>
      json({ error: "missing env", missingEnv: ["A"] }, { status: 503 }),
    );
    expect(await needy.ready()).toEqual({ ready: false, reason: "missing env", missingEnv: ["A"] });
  });

  test.each(["info", "ready"] as const)("%s gives up after its time", async (method) => {
    const clock = new FakeClock();
    let asked: Request | undefined;
    const dead = clientOf(
      (request) => {
        asked = request;
        return new Promise(() => {});
      },
      { clock },
    );
    const failure = failureOf(dead[method]());
    clock.advance(9_999);
    expect(asked?.signal.aborted).toBe(false);
    clock.advance(1);
    expect(await failure).toMatchObject({ code: "timed-out", retryable: false });
    expect([asked?.signal.aborted, clock.pending]).toEqual([true, 0]);
  });
});

describe("what is no answer is a PackClientError", () => {
  const strict = testHandler({ maxBodyBytes: 10 });
  const refusing = (status: number) =>
    clientOf(async () => json({ error: "no" }, { status }), { clock: new FakeClock() });

  test("with a code for every refusal", async () => {
    const codes: unknown[] = [];
    for (const status of REFUSAL_STATUSES) {
      const options = { ctx, timeoutMs: 1 };
      const error = await failureOf(refusing(status).invoke("echo", 1, options));
      expect(error).toMatchObject({ status, refusal: { error: "no" }, retryable: status === 503 });
      codes.push((error as PackClientError).code);
    }
    expect([...codes, "network-failed", "timed-out", "unexpected-answer"]).toEqual(
      CLIENT_ERROR_CODES,
    );
  });

  test.each([
    ["unauthorized", clientOf(strict, { token: "other" })],
    ["unauthorized", clientOf(strict, { token: undefined })],
    ["not-found", clientOf(strict, { url: "http://pack/elsewhere" })],
    ["body-too-large", clientOf(strict)],
  ])("%s, from a real service", async (code, refused) => {
    const error = await failureOf(refused.invoke("echo", 1, { ctx }));
    expect(error).toMatchObject({ code, message: expect.stringContaining("POST http://pack") });
    expect((error as Error).message).not.toContain(token);
  });

  test("network-failed, with what happened, and sent once", async () => {
    let sent = 0;
    const cause = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    const lost = clientOf(async () => {
      sent += 1;
      throw cause;
    });
    const error = await failureOf(lost.invoke("echo", 1, { ctx }));
    expect(error).toMatchObject({ code: "network-failed", retryable: false, cause });
    expect((error as Error).message).toContain("fetch failed (ECONNREFUSED)");
    expect(sent).toBe(1);
  });

  test("network-failed, when the answer breaks off", async () => {
    const broken = answeredBy(
      () =>
        new Response(new ReadableStream({ start: (stream) => stream.error(new Error("reset")) })),
    );
    const error = await failureOf(broken.invoke("echo", 1, { ctx }));
    expect(error).toMatchObject({
      code: "network-failed",
      message: expect.stringContaining("reset"),
    });
  });

  test.each<[string, () => Response]>([
    ["a proxy's page", html],
    ["broken JSON", () => new Response('{"v":2,"kind":"result","output":"secret')],
    ["no UTF-8", notUtf8],
    ["no body", () => new Response("")],
    ["no object", () => json([1])],
    ["another version", () => json({ v: 3, kind: "result", output: 1 })],
    ["no kind", () => json({ v: 2, output: 1 })],
    ["an inherited kind", () => json({ v: 2, kind: "constructor" })],
    ["another kind", () => json({ v: 2, kind: "check-result", result: { passed: true } })],
    ["no output", () => json({ v: 2, kind: "result" })],
    ["an unknown code", () => json({ v: 2, kind: "error", code: "odd", message: "m" })],
    ["no message", () => json({ v: 2, kind: "error", code: "cancelled" })],
    [
      "broken issues",
      () => json({ v: 2, kind: "error", code: "cancelled", message: "m", issues: [{}] }),
    ],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://evil" } })],
    ["a gateway's refusal", () => new Response("<p>secret", { status: 502 })],
    [
      "a 503 that isn't the service's",
      () => new Response("", { status: 503, headers: { "retry-after": "1" } }),
    ],
    ["a status that services don't use", () => json({ error: "slow down" }, { status: 429 })],
    ["another success", () => json({ v: 2, kind: "result", output: 1 }, { status: 201 })],
  ])("unexpected-answer: %s, sent once and not quoted", async (_, answer) => {
    let sent = 0;
    const odd = answeredBy(() => {
      sent += 1;
      return answer();
    });
    const error = await failureOf(odd.invoke("echo", 1, { ctx }));
    expect(error).toMatchObject({
      code: "unexpected-answer",
      status: answer().status,
      retryable: false,
    });
    expect((error as Error).message).not.toContain("secret");
    expect(sent).toBe(1);
  });

  test.each<[string, unknown]>([
    ["another protocol", { protocol: 3 }],
    ["no pack", { packId: 1 }],
    ["no tools", { tools: [{}] }],
    ["no checks", { checks: [1] }],
    ["no names", { missingEnv: "A" }],
  ])("unexpected-answer to info: %s", async (_, members) => {
    const right = {
      protocol: 2,
      packId: "p",
      packVersion: "1",
      artifactVersion: "1",
      tools: [],
      checks: [],
    };
    const odd = answeredBy(() => json({ ...right, ...(members as object) }));
    expect(await failureOf(odd.info())).toMatchObject({ code: "unexpected-answer" });
  });

  test("unexpected-answer to ready", async () => {
    expect(await failureOf(answeredBy(html).ready())).toMatchObject({ code: "unexpected-answer" });
    const odd = answeredBy(() => json({ status: "ok" }));
    expect(await failureOf(odd.ready())).toMatchObject({ code: "unexpected-answer" });
  });

  test("whatever is answered, it is that or an outcome", async () => {
    const code = fc.constantFrom("handler-throw", "odd", 1);
    const kind = fc.constantFrom("result", "check-result", "error", "x");
    const message = fc.record(
      {
        v: fc.constantFrom(2, 3, "2"),
        kind,
        code,
        message: fc.jsonValue(),
        issues: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), message), async (body) => {
        const settled = await answeredBy(() => json(body))
          .invoke("echo", 1, { ctx })
          .then(
            (outcome) => (outcome.ok ? "output" : "code") in outcome,
            (error) => isPackClientError(error) && error.code === "unexpected-answer",
          );
        expect(settled).toBe(true);
      }),
    );
  });

  test("it is told across copies of the package, and nothing else is", () => {
    const foreign = { [Symbol.for("pack-handler.PackClientError")]: true };
    expect([new PackClientError("timed-out", "m"), foreign].every(isPackClientError)).toBe(true);
    expect([new Error("m"), null, undefined, "m"].some(isPackClientError)).toBe(false);
  });
});

describe("signal", () => {
  test("aborted before, nothing is sent", async () => {
    const unreachable = clientOf(() => expect.unreachable());
    const reason = new Error("stop");
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(unreachable.invoke("echo", 1, { ctx, signal }))).toBe(reason);
    expect(await failureOf(unreachable.info({ signal }))).toBe(reason);
  });

  test("aborts the request, and rejects with its reason", async () => {
    const controller = new AbortController();
    const outcomes: unknown[] = [];
    const handler = testHandler({ onRecord: (record) => outcomes.push(record.outcome) });
    const reason = { any: "value" };
    let answer: Promise<Response> | undefined;
    const waiting = clientOf((request) => {
      queueMicrotask(() => controller.abort(reason));
      return (answer = handler(request));
    });
    const { signal } = controller;
    expect(await failureOf(waiting.invoke("wait", null, { ctx, signal }))).toBe(reason);
    expect(await (await answer)?.json()).toMatchObject({ code: "cancelled" });
    expect(outcomes).toEqual(["cancelled"]);
  });

  test("aborts the wait for another try", async () => {
    const controller = new AbortController();
    const clock = new FakeClock();
    const busy = clientOf(async () => json({ error: "overloaded" }, { status: 503 }), {
      clock,
      onRetry: () => queueMicrotask(() => controller.abort("enough")),
    });
    const { signal } = controller;
    expect(await failureOf(busy.invoke("echo", 1, { ctx, signal }))).toBe("enough");
    expect([clock.pending, getEventListeners(signal, "abort").length]).toEqual([0, 0]);
  });

  test("is left without a listener, and the clock without a timer, however a call ends", async () => {
    const { signal } = new AbortController();
    const clock = new FakeClock();
    const seen = testHandler();
    const fetches: FetchFunction[] = [
      seen,
      async () => json(1),
      () => Promise.reject(new Error("lost")),
    ];
    for (const fetch of fetches) {
      const one = clientOf(fetch, { clock });
      await Promise.allSettled([
        one.invoke("echo", 1, { ctx, signal }),
        one.check("limit", { trace: {}, signal }),
        one.info({ signal }),
        one.ready({ signal }),
      ]);
      expect([clock.pending, getEventListeners(signal, "abort").length]).toEqual([0, 0]);
    }
  });
});

describe("createPackClient", () => {
  test.each([
    ["http://pack", "http://pack/v1/info"],
    ["http://pack/", "http://pack/v1/info"],
    [new URL("https://pack/packs/ledger//"), "https://pack/packs/ledger/v1/info"],
  ])("calls below %s", async (base, expected) => {
    let asked = "";
    const asking = clientOf(
      async (request) => {
        asked = request.url;
        return json(1);
      },
      { url: base },
    );
    await failureOf(asking.info());
    expect(asked).toBe(expected);
  });

  test.each([
    "",
    "pack",
    "/v1",
    "ftp://pack",
    "http://u@pack",
    "http://:p@pack",
    "http://pack?a",
    "http://pack#a",
  ])("refuses the url %j", (wrong) => {
    expect(() => createPackClient({ url: wrong })).toThrow("options.url must");
  });

  test.each(["", " ", "my secret", "é"])("refuses the token %j without quoting it", (wrong) => {
    expect(() => createPackClient({ url, token: wrong })).toThrow(
      /^options\.token must be a non-empty text of the characters ! to ~$/,
    );
  });

  test("takes the global fetch as it is when a call is made, and needs no this", async () => {
    const { fetch } = globalThis;
    const { invoke } = createPackClient({ url, token });
    globalThis.fetch = ((request: Request) => testHandler()(request)) as typeof fetch;
    try {
      expect(await invoke("echo", 7, { ctx })).toMatchObject({ output: 7 });
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("it should have been rejected"),
    (reason) => reason,
  );
}
