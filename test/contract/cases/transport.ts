import { expect } from "vitest";
import { createPackHandler } from "../../../src/index.ts";
import { failure, json, output, refusal } from "../answer.ts";
import { unique } from "../case.ts";
import type { Case } from "../case.ts";
import { toRequest } from "../in-process.ts";
import { callCheck, callTool, checkInvoke, invoke } from "../messages.ts";
import { indexOf, tool } from "../packs.ts";
import type { RequirementId } from "../requirements.ts";
import { TOKEN } from "../target.ts";
import type { CaseRequest } from "../target.ts";

interface Row {
  id: string;
  title: string;
  verifies: RequirementId[];
  request: CaseRequest;
  status: number;
  /** Members of the body. */
  body?: object;
  headers?: Record<string, string>;
}

const rows: Row[] = [
  {
    id: "1-healthz",
    title: "healthz needs no token",
    verifies: ["1.healthz", "1.json"],
    request: { path: "/healthz", headers: { "kindgi-pack-token": null } },
    status: 200,
    body: { status: "ok" },
  },
  {
    id: "1-readyz",
    title: "readyz needs no token",
    verifies: ["1.readyz", "1.json"],
    request: { path: "/readyz", headers: { "kindgi-pack-token": null } },
    status: 200,
    body: { status: "ready" },
  },
  {
    id: "1-info",
    title: "info tells what the pack holds",
    verifies: ["1.info", "2.info"],
    request: { path: "/v1/info" },
    status: 200,
    body: {
      protocol: 2,
      packId: "contract-pack",
      packVersion: "1.0.0",
      artifactVersion: "artifact-1",
      missingEnv: [],
    },
  },
  {
    id: "1-info-query",
    title: "a query string is ignored",
    verifies: ["1.404"],
    request: { path: "/v1/info?a=/healthz" },
    status: 200,
    body: { packId: "contract-pack" },
  },
  ...["/healthz", "/readyz", "/v1/info"].map((path): Row => ({
    id: `1-head-${path}`,
    title: `HEAD ${path} is GET without a body`,
    verifies: ["1.head"],
    request: { path, method: "HEAD" },
    status: 200,
  })),
  ...[
    "/",
    "/v1",
    "/v1/",
    "/v1/invoke/",
    "/v1/info/",
    "/v1/Invoke",
    "/V1/invoke",
    "/healthz/",
    "/HEALTHZ",
    "/__proto__",
    "/constructor",
    "/toString",
    "//v1/info",
    "/v1//info",
    "/%761/info",
    "/v1%2Finfo",
    "/v1/info%00",
    "/v1/info;a=b",
    "/v2/invoke",
  ].map((path): Row => ({
    id: `1-404-${path}`,
    title: `${path} is an unknown path`,
    verifies: ["1.404", "1.refusal-body"],
    request: { path },
    status: 404,
  })),
  ...(
    [
      ["GET", "/v1/invoke", "POST"],
      ["HEAD", "/v1/invoke", "POST"],
      ["PUT", "/v1/invoke", "POST"],
      ["DELETE", "/v1/invoke", "POST"],
      ["OPTIONS", "/v1/invoke", "POST"],
      ["POST", "/v1/info", "GET, HEAD"],
      ["POST", "/healthz", "GET, HEAD"],
      ["PUT", "/readyz", "GET, HEAD"],
    ] as const
  ).map(([method, path, allow]): Row => ({
    id: `1-405-${method}-${path}`,
    title: `${method} ${path} is a wrong method`,
    verifies: ["1.405"],
    request: { method, path },
    status: 405,
    headers: { allow },
  })),
  ...[
    ["missing", null],
    ["empty", ""],
    ["other", "wrong"],
    ["a prefix", TOKEN.slice(0, -1)],
    ["longer", `${TOKEN}x`],
    ["of other case", TOKEN.toUpperCase()],
    ["twice in one", `${TOKEN}, ${TOKEN}`],
    ["first character", `x${TOKEN.slice(1)}`],
    ["last character", `${TOKEN.slice(0, -1)}x`],
  ].flatMap(([name, token]): Row[] => [
    {
      id: `1-401-invoke-${name}`,
      title: `an invoke whose token is wrong: ${name}`,
      verifies: ["1.401", "1.401-whole", "1.invoke"],
      request: { headers: { "kindgi-pack-token": token ?? null }, body: invoke("echo") },
      status: 401,
    },
    {
      id: `1-401-info-${name}`,
      title: `an info whose token is wrong: ${name}`,
      verifies: ["1.401", "1.info"],
      request: { path: "/v1/info", headers: { "kindgi-pack-token": token ?? null } },
      status: 401,
    },
  ]),
  {
    id: "1-authorization-not-a-token",
    title: "Authorization doesn't stand for the token",
    verifies: ["1.authorization"],
    request: {
      path: "/v1/info",
      headers: { "kindgi-pack-token": null, authorization: `Bearer ${TOKEN}` },
    },
    status: 401,
  },
  {
    id: "1-authorization-not-read",
    title: "a foreign Authorization beside the token changes nothing",
    verifies: ["1.authorization"],
    request: { path: "/v1/info", headers: { authorization: "Bearer of the platform" } },
    status: 200,
  },
  ...[
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="utf-8"; a="b,c"',
    "application/json ; x=y",
    " application/json\t;x=y",
  ].map((type): Row => ({
    id: `1-415-accepts-${type}`,
    title: `content type ${JSON.stringify(type)} passes`,
    verifies: ["1.415"],
    request: { headers: { "content-type": type }, body: JSON.stringify(invoke("echo")) },
    status: 200,
    body: { kind: "result" },
  })),
  ...[
    null,
    "",
    "application/jsonp",
    "application/json5",
    "application/problem+json",
    "text/json",
    "text/plain; a=application/json",
    "application/json, text/plain",
    "application/json, application/json",
    "application/json; charset=utf-8, application/json",
    'application/json; a="b", text/plain',
    "application / json",
    "xapplication/json",
    "application/x-www-form-urlencoded",
  ].map((type): Row => ({
    id: `1-415-refuses-${type}`,
    title: `content type ${JSON.stringify(type)} is refused`,
    verifies: ["1.415", "1.refusal-body"],
    request: {
      headers: { "content-type": type },
      body: new TextEncoder().encode(JSON.stringify(invoke("echo"))),
    },
    status: 415,
  })),
  // Each is wrong in all that its step and the later ones look at.
  {
    id: "1-order-404",
    title: "an unknown path comes before all else",
    verifies: ["1.order"],
    request: {
      path: "/v1/none",
      method: "PUT",
      headers: { "kindgi-pack-token": null },
      body: "no JSON",
    },
    status: 404,
  },
  {
    id: "1-order-405",
    title: "the method comes before the token",
    verifies: ["1.order"],
    request: {
      method: "PUT",
      headers: { "kindgi-pack-token": null, "content-type": "text/plain" },
      body: "no JSON",
    },
    status: 405,
  },
  {
    id: "1-order-401",
    title: "the token comes before the media type",
    verifies: ["1.order"],
    request: {
      headers: { "kindgi-pack-token": "wrong", "content-type": "text/plain" },
      body: "no JSON",
    },
    status: 401,
  },
];

function fromRow({ id, title, verifies, request, status, body, headers = {} }: Row): Case {
  return {
    id,
    title,
    verifies: [...verifies, "1.json"],
    async run({ service }) {
      const answer = await (await service()).send(request);
      expect(answer.status, answer.text).toBe(status);
      if (body) expect(json(answer)).toMatchObject(body);
      for (const [name, value] of Object.entries(headers))
        expect(answer.headers.get(name)).toBe(value);
    },
  };
}

export const transportCases: readonly Case[] = [
  ...rows.map(fromRow),
  {
    id: "1-order-413",
    title: "token and media type come before the size",
    verifies: ["1.order"],
    needs: "in-process",
    async run({ service }) {
      const { send } = await service();
      const body = new Uint8Array(10_485_761);
      refusal(await send({ body, headers: { "kindgi-pack-token": "wrong" } }), 401);
      refusal(await send({ body, headers: { "content-type": "text/plain" } }), 415);
    },
  },
  {
    id: "1-invoke",
    title: "an invoke answers with a response message and its headers",
    verifies: ["1.invoke", "1.duration", "1.artifact", "2.valid-200"],
    async run({ service }) {
      const answer = await callTool(await service(), "greet", { name: "Ada" });
      expect(json(answer)).toEqual({ v: 2, kind: "result", output: { greeting: "Hello, Ada" } });
      expect(answer.headers.get("kindgi-artifact-version")).toBe("artifact-1");
    },
  },
  {
    id: "1-duration",
    title: "the duration counts from the request's arrival: the upload is in it",
    verifies: ["1.duration"],
    needs: "in-process",
    async run() {
      let clockMs = 1_000.25;
      const message = new TextEncoder().encode(JSON.stringify(invoke("echo")));
      async function* slowly() {
        yield message.slice(0, 10);
        clockMs += 5_000.5;
        yield message.slice(10);
      }
      const modules = { "echo.mjs": { default: () => ({}) } };
      const index = indexOf({ tools: [tool("echo", "echo.mjs")] });
      const handler = createPackHandler(index, modules, { token: TOKEN, now: () => clockMs });
      const response = await handler(toRequest({ body: slowly }));
      expect(response.headers.get("kindgi-duration-ms")).toMatch(/^500[01]$/);
    },
  },
  {
    id: "1-check",
    title: "a check is invoked by the same route",
    verifies: ["1.invoke", "1.artifact"],
    async run({ service }) {
      const answer = await callCheck(await service(), "check-default");
      expect(json(answer)).toEqual({
        v: 2,
        kind: "check-result",
        result: { passed: true, shape: "default" },
      });
      expect(answer.headers.get("kindgi-artifact-version")).toBe("artifact-1");
    },
  },
  {
    id: "1-info-complete",
    title: "info lists every tool with its version, and every check by its id",
    verifies: ["2.info", "3.check-id"],
    async run({ service }) {
      const { tools, checks } = json(await (await service()).send({ path: "/v1/info" }));
      expect(tools).toContainEqual({ id: "echo" });
      expect(tools).toContainEqual({ id: "versioned", version: "1.0.0" });
      expect(tools).toContainEqual({ id: "versioned", version: "2.0.0" });
      expect(checks).toContain("check-evaluate");
      expect(checks).toContain("called-by-this");
      expect(checks).not.toContain("guardrail-id");
    },
  },
  {
    id: "1-no-quote",
    title: "no refusal or error message quotes the body",
    verifies: ["1.no-quote"],
    async run({ service }) {
      const secret = "quoted-secret-1";
      const bodies: CaseRequest["body"][] = [
        `{"v": 2, ${secret}`,
        `"${secret}"`,
        `[${secret}`,
        { v: secret },
        { v: 2, kind: secret },
        { v: 2, kind: "invoke", tool: { id: 7, secret }, input: secret },
        {
          ...invoke("greet", { name: secret.repeat(9), [secret]: 1 }),
          tool: { id: "greet", version: 1 },
        },
        { ...invoke("echo"), ctx: secret },
      ];
      for (const body of bodies) {
        const answer = await (await service()).send({ body: body as string });
        expect(json(answer).kind).toBe("error");
        expect(answer.text).not.toContain(secret);
      }
      const refused = await (
        await service()
      ).send({ headers: { "content-type": "text/plain" }, body: secret });
      expect(refused.text).not.toContain(secret);
    },
  },
  ...["0", "-5", "abc", "", "1.5", "1e1", "0x1", "+1", " 1x", "1,1"].map((value): Case => ({
    id: `1-timeout-unusable-${value}`,
    title: `a deadline of ${JSON.stringify(value)} means the default`,
    verifies: ["1.timeout-unusable"],
    async run({ service }) {
      const request = { headers: { "kindgi-timeout-ms": value } };
      expect(output(await callTool(await service(), "pause", {}, request))).toEqual({
        paused: true,
      });
    },
  })),
  ...["2147483647", "2147483648", "99999999999", "9".repeat(400), "000060000"].map(
    (value): Case => ({
      id: `1-timeout-clamped-${value.slice(0, 12)}-${value.length}`,
      title: `a deadline of ${value.slice(0, 12)} (${value.length} digits) isn't over at once`,
      verifies: ["1.timeout-clamped", "1.timeout"],
      async run({ service }) {
        const request = { headers: { "kindgi-timeout-ms": value } };
        expect(output(await callTool(await service(), "pause", {}, request))).toEqual({
          paused: true,
        });
      },
    }),
  ),
  {
    id: "1-timeout-short",
    title: "a deadline of 1 digit counts",
    verifies: ["1.timeout"],
    async run({ service }) {
      const request = { headers: { "kindgi-timeout-ms": "9" } };
      failure(await callTool(await service(), "deaf", {}, request), "deadline-exceeded");
    },
  },
  {
    id: "1-call-ids-check",
    title: "the id headers name a check's call",
    verifies: ["1.call-ids"],
    async run({ service }) {
      const requestId = unique("header-call");
      const { records, send } = await service();
      const headers = { "kindgi-run-id": "header-run", "kindgi-request-id": requestId };
      output(await send({ body: checkInvoke("check-evaluate"), headers }));
      expect(await records.call(requestId)).toMatchObject({
        runId: "header-run",
        checkId: "check-evaluate",
      });
    },
  },
  {
    id: "1-call-ids-ctx",
    title: "the ids of ctx go before those of the headers",
    verifies: ["1.call-ids"],
    async run({ service }) {
      const requestId = unique("ctx-call");
      const { records, send } = await service();
      const headers = { "kindgi-run-id": "header-run", "kindgi-request-id": "header-call" };
      output(await send({ body: invoke("echo", {}, { requestId, runId: "ctx-run" }), headers }));
      expect(await records.call(requestId)).toMatchObject({ runId: "ctx-run" });
    },
  },
  {
    id: "1-call-ids-half",
    title: "a ctx without a requestId takes the header's",
    verifies: ["1.call-ids"],
    async run({ service }) {
      const requestId = unique("header-call");
      const { records, send } = await service();
      const { ctx, ...message } = invoke("echo");
      const body = { ...message, ctx: { tenantId: ctx.tenantId, runId: "ctx-run" } };
      output(
        await send({
          body,
          headers: { "kindgi-request-id": requestId, "kindgi-run-id": "header-run" },
        }),
      );
      expect(await records.call(requestId)).toMatchObject({ runId: "ctx-run" });
    },
  },
  ...["1", "2", "3.0", "not a version"].map((value): Case => ({
    id: `1-protocol-header-${value}`,
    title: `kindgi-protocol: ${value} changes nothing`,
    verifies: ["1.protocol-header"],
    async run({ service }) {
      const answer = await callTool(
        await service(),
        "greet",
        { name: "A" },
        { headers: { "kindgi-protocol": value } },
      );
      output(answer);
    },
  })),
  {
    id: "1-traceparent",
    title: "a trace is continued in the call's record",
    verifies: ["1.traceparent"],
    async run({ service }) {
      const { records, send } = await service();
      const body = invoke("log");
      const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
      output(await send({ body, headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } }));
      const record = await records.call(body.ctx.requestId);
      expect(record).toMatchObject({ traceId, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
      expect(await records.logged(body.ctx.requestId, "at info")).toMatchObject({
        traceId,
        spanId: record.spanId,
      });
    },
  },
  ...[
    "",
    "junk",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    `00-${"a".repeat(32)}-${"0".repeat(16)}-01`,
  ].map((traceparent): Case => ({
    id: `1-traceparent-unusable-${traceparent.slice(0, 20)}-${traceparent.length}`,
    title: `traceparent ${JSON.stringify(traceparent)} is no trace to continue`,
    verifies: ["1.traceparent"],
    async run({ service }) {
      const { records, send } = await service();
      const body = invoke("echo");
      output(await send({ body, headers: { traceparent } }));
      const record = await records.call(body.ctx.requestId);
      expect(["0".repeat(32), "a".repeat(32)]).not.toContain(record.traceId);
    },
  })),
  {
    id: "1-500",
    title: "a fault of the service itself is a 500 that doesn't tell its insides",
    verifies: ["1.500"],
    needs: "in-process",
    async run() {
      const now = () => {
        throw new Error("internal-detail");
      };
      const handler = createPackHandler(indexOf({}), {}, { token: TOKEN, now });
      const response = await handler(toRequest({ body: invoke("echo") }));
      const answer = {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      };
      expect(refusal(answer, 500)).toEqual({ error: expect.any(String) });
      expect(answer.text).not.toContain("internal-detail");
    },
  },
  {
    id: "1-timeout-default",
    title: "an unusable deadline means the default, not what a looser reading would make of it",
    verifies: ["1.timeout-unusable"],
    needs: "in-process",
    async run() {
      const index = indexOf({ tools: [tool("deaf", "deaf.mjs")] });
      const modules = { "deaf.mjs": { default: () => new Promise(() => {}) } };
      const handler = createPackHandler(index, modules, { token: TOKEN, defaultTimeoutMs: 20 });
      const loose = [
        "1e9",
        "0x7fffffff",
        "99999.5",
        "+99999",
        "99999 9",
        "99999ms",
        "Infinity",
        "99999,5",
      ];
      for (const value of loose) {
        const response = await handler(
          toRequest({ body: invoke("deaf"), headers: { "kindgi-timeout-ms": value } }),
        );
        expect(await response.json()).toMatchObject({ code: "deadline-exceeded" });
      }
    },
  },
];
