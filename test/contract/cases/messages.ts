import { expect } from "vitest";
import { failure, json, output } from "../answer.ts";
import type { Case } from "../case.ts";
import { callCheck, callTool, checkInvoke, invoke } from "../messages.ts";
import type { RequirementId } from "../requirements.ts";
import type { CaseRequest } from "../target.ts";

interface Row {
  id: string;
  verifies: RequirementId[];
  body: CaseRequest["body"];
  code: string;
  /** Members of the error message. */
  error?: object;
}

/** A tool call with members replaced; `undefined` takes one out. */
function toolWith(members: object): object {
  return { ...invoke("echo"), ...members };
}

function checkWith(members: object): object {
  return { ...checkInvoke("check-evaluate"), ...members };
}

function malformed(id: string, body: CaseRequest["body"], error: object = {}): Row {
  return {
    id: `2-malformed-${id}`,
    verifies: ["2.malformed-message"],
    body,
    code: "malformed-message",
    error,
  };
}

const text = (value: string) => new TextEncoder().encode(value);
const ctx = { tenantId: "t", runId: "r" };

const rows: Row[] = [
  malformed("empty", text("")),
  malformed("blank", "  "),
  malformed("no-json", "{v:2}"),
  malformed("cut", '{"v":2,"kind":"invoke"'),
  malformed("trailing", '{"v":2} {}'),
  malformed("array", "[]"),
  malformed("null", "null"),
  malformed("text", '"invoke"'),
  malformed("number", "2"),
  malformed("tool-missing", toolWith({ tool: undefined })),
  malformed("tool-text", toolWith({ tool: "echo" })),
  malformed("tool-null", toolWith({ tool: null })),
  malformed("tool-id-missing", toolWith({ tool: {} })),
  malformed("tool-id-empty", toolWith({ tool: { id: "" } })),
  malformed("tool-id-number", toolWith({ tool: { id: 1 } })),
  malformed("tool-version-number", toolWith({ tool: { id: "echo", version: 1 } }), {
    toolId: "echo",
  }),
  malformed("tool-version-null", toolWith({ tool: { id: "echo", version: null } }), {
    toolId: "echo",
  }),
  malformed("input-absent", toolWith({ input: undefined }), { toolId: "echo" }),
  malformed("ctx-absent", toolWith({ ctx: undefined }), { toolId: "echo" }),
  malformed("ctx-null", toolWith({ ctx: null }), { toolId: "echo" }),
  malformed("ctx-array", toolWith({ ctx: [] }), { toolId: "echo" }),
  malformed("ctx-tenant", toolWith({ ctx: { runId: "r" } }), { toolId: "echo" }),
  malformed("ctx-tenant-number", toolWith({ ctx: { tenantId: 1, runId: "r" } }), {
    toolId: "echo",
  }),
  malformed("ctx-run", toolWith({ ctx: { tenantId: "t" } }), { toolId: "echo" }),
  malformed("ctx-run-null", toolWith({ ctx: { tenantId: "t", runId: null } }), { toolId: "echo" }),
  malformed("check-missing", checkWith({ check: undefined })),
  malformed("check-id-empty", checkWith({ check: { id: "" } })),
  malformed("check-id-null", checkWith({ check: { id: null } })),
  malformed("config-absent", checkWith({ config: undefined }), { checkId: "check-evaluate" }),
  malformed("config-null", checkWith({ config: null }), { checkId: "check-evaluate" }),
  malformed("config-array", checkWith({ config: [] }), { checkId: "check-evaluate" }),
  malformed("config-text", checkWith({ config: "a" }), { checkId: "check-evaluate" }),
  malformed("trace-absent", checkWith({ trace: undefined }), { checkId: "check-evaluate" }),
  ...[undefined, null, 1, 3, "2", [2], 2.5, true].map((v): Row => ({
    id: `2-version-${JSON.stringify(v)}`,
    verifies: ["2.unknown-protocol-version"],
    body: toolWith({ v }),
    code: "unknown-protocol-version",
  })),
  ...[undefined, null, "", "result", "INVOKE", "check", 1, "__proto__"].map((kind): Row => ({
    id: `2-kind-${JSON.stringify(kind)}`,
    verifies: ["2.unexpected-message-kind"],
    body: toolWith({ kind }),
    code: "unexpected-message-kind",
  })),
  ...[
    "nothing",
    "ECHO",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "check-evaluate",
    "modules/echo.mjs",
  ].map((id): Row => ({
    id: `2-no-tool-${id}`,
    verifies: ["2.tool-not-in-pack", "2.subject", "2.proto"],
    body: toolWith({ tool: { id } }),
    code: "tool-not-in-pack",
    error: { toolId: id },
  })),
  ...["nothing", "__proto__", "echo", "guardrail-id"].map((id): Row => ({
    id: `2-no-check-${id}`,
    verifies: ["2.check-not-in-pack", "2.subject", "3.check-id"],
    body: checkWith({ check: { id } }),
    code: "check-not-in-pack",
    error: { checkId: id },
  })),
  {
    id: "2-version-other",
    verifies: ["2.tool-version-mismatch", "2.subject"],
    body: toolWith({ tool: { id: "pinned", version: "1.2.4" } }),
    code: "tool-version-mismatch",
    error: { toolId: "pinned", message: expect.stringContaining("1.2.3") },
  },
  {
    id: "2-version-none-indexed",
    verifies: ["2.tool-version-mismatch"],
    body: toolWith({ tool: { id: "echo", version: "1.0.0" } }),
    code: "tool-version-mismatch",
    error: { toolId: "echo" },
  },
  {
    id: "2-version-other-of-several",
    verifies: ["2.tool-version-mismatch", "3.versions"],
    body: toolWith({ tool: { id: "versioned", version: "3.0.0" } }),
    code: "tool-version-mismatch",
    error: { message: expect.stringMatching(/1\.0\.0.*2\.0\.0/) },
  },
  {
    id: "2-version-absent-of-several",
    verifies: ["2.tool-version-mismatch", "3.versions"],
    body: toolWith({ tool: { id: "versioned" } }),
    code: "tool-version-mismatch",
    error: { message: expect.stringMatching(/1\.0\.0.*2\.0\.0/) },
  },
  // Each is wrong in all that its step and the later ones look at.
  {
    id: "2-order-v",
    verifies: ["2.order"],
    body: { v: 3, kind: "none", tool: 1 },
    code: "unknown-protocol-version",
  },
  {
    id: "2-order-kind",
    verifies: ["2.order"],
    body: { v: 2, kind: "none", tool: 1 },
    code: "unexpected-message-kind",
  },
  {
    id: "2-order-members",
    verifies: ["2.order"],
    body: { v: 2, kind: "invoke", tool: { id: "nothing" }, ctx },
    code: "malformed-message",
  },
  {
    id: "2-order-index",
    verifies: ["2.order"],
    body: toolWith({ tool: { id: "nothing", version: "9" } }),
    code: "tool-not-in-pack",
  },
  {
    id: "2-order-version",
    verifies: ["2.order"],
    body: toolWith({ tool: { id: "greet", version: "9" }, input: 7 }),
    code: "tool-version-mismatch",
  },
  {
    id: "2-utf8",
    verifies: ["2.utf8"],
    body: new Uint8Array([...text('{"v":2,"kind":"'), 0xff, ...text('"}')]),
    code: "malformed-message",
  },
  {
    id: "2-utf8-surrogate",
    verifies: ["2.utf8"],
    body: new Uint8Array([...text('{"a":"'), 0xed, 0xa0, 0x80, ...text('"}')]),
    code: "malformed-message",
  },
  {
    id: "2-utf8-overlong",
    verifies: ["2.utf8"],
    body: new Uint8Array([...text('{"a":"'), 0xc0, 0xaf, ...text('"}')]),
    code: "malformed-message",
  },
  {
    id: "2-utf8-cut",
    verifies: ["2.utf8"],
    body: new Uint8Array([...text('{"v":2,"kind":"invoke"}'), 0xe2, 0x82]),
    code: "malformed-message",
  },
];

function fromRow({ id, verifies, body, code, error = {} }: Row): Case {
  return {
    id,
    title: `is answered ${code}`,
    verifies: [...verifies, "2.valid-200"],
    async run({ service }) {
      const { send } = await service();
      const answer = await send({ method: "POST", body: body ?? "" });
      expect(failure(answer, code)).toMatchObject(error);
    },
  };
}

export const messageCases: readonly Case[] = [
  ...rows.map(fromRow),
  {
    id: "2-bom",
    title: "a BOM is skipped",
    verifies: ["2.bom"],
    async run({ service }) {
      const body = text(`\ufeff${JSON.stringify(invoke("greet", { name: "B" }))}`);
      expect([...body.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      expect(output(await (await service()).send({ body }))).toEqual({ greeting: "Hello, B" });
    },
  },
  {
    id: "2-utf8-text",
    title: "characters of every length arrive, also when a chunk ends within one",
    verifies: ["2.utf8"],
    async run({ service }) {
      const input = { text: "é€😀\u0000\u2028" };
      const bytes = text(JSON.stringify(invoke("echo", input)));
      async function* byteByByte() {
        for (const byte of bytes) yield new Uint8Array([byte]);
      }
      expect(output(await (await service()).send({ body: byteByByte })).input).toEqual(input);
    },
  },
  {
    id: "2-utf8-replacement",
    title:
      "U+FFFD, which decoders put in place of what they can't read, is a character like any other",
    verifies: ["2.utf8"],
    async run({ service }) {
      const { send } = await service();
      for (const input of ["\ufffd", { "\ufffd": "é😀\ufffd" }, "x\ufffd".repeat(10_000)]) {
        const body = text(`\ufeff${JSON.stringify(invoke("echo", input))}`);
        expect(output(await send({ body })).input).toEqual(input);
        const broken = Buffer.concat([
          body.subarray(0, -4),
          Uint8Array.of(0xff),
          body.subarray(-4),
        ]);
        failure(await send({ body: broken }), "malformed-message");
      }
    },
  },
  {
    id: "2-proto",
    title: "__proto__ keys are data, or nothing, and never a prototype",
    verifies: ["2.proto"],
    async run({ service }) {
      const { send } = await service();
      const message = JSON.stringify(invoke("echo", { polluted: "no" }));
      const polluting = message
        .replace('"input":{', '"input":{"__proto__":{"polluted":"yes","inherited":1},')
        .replace('"ctx":{', '"ctx":{"__proto__":{"tenantId":"other","inherited":1},')
        .replace(/^\{/, '{"__proto__":{"v":3},');
      const { input, ctx: given } = output(await send({ body: polluting }));
      expect(input.polluted).toBe("no");
      expect(input.inherited).toBeUndefined();
      expect(given.tenantId).toBe("tenant-1");
      expect(given.inherited).toBeUndefined();
      const bare =
        '{"__proto__":{"v":2,"kind":"invoke","tool":{"id":"echo"},"input":{},"ctx":{"tenantId":"t","runId":"r"}}}';
      failure(await send({ body: bare }), "unknown-protocol-version");
      const hidden =
        '{"v":2,"kind":"invoke","tool":{"__proto__":{"id":"echo"}},"input":{},"ctx":{"tenantId":"t","runId":"r"}}';
      failure(await send({ body: hidden }), "malformed-message");
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  },
  {
    id: "2-proto-id",
    title: "a tool may be named like a member of every object",
    verifies: ["2.proto"],
    async run({ service }) {
      expect(output(await callTool(await service(), "constructor", 1)).input).toBe(1);
    },
  },
  {
    id: "2-unknown-members",
    title: "unknown members of a request are ignored",
    verifies: ["2.unknown-members"],
    async run({ service }) {
      const { send } = await service();
      const message = invoke("greet", { name: "C" });
      output(await send({ body: { ...message, extra: 1, tool: { ...message.tool, extra: [] } } }));
      output(await send({ body: { ...checkInvoke("check-evaluate"), ctx: 7, extra: {} } }));
    },
  },
  {
    id: "2-ctx-members",
    title: "members of ctx that the service doesn't know reach the handler",
    verifies: ["2.ctx-members", "4.ctx"],
    async run({ service }) {
      const members = {
        projectId: "project-1",
        orgId: "org-1",
        settings: { theme: "dark" },
        idempotencyKey: "key-1",
        unheardOf: [1, { a: 2 }],
      };
      expect(
        output(await callTool(await service(), "context", {}, { ctx: members })),
      ).toMatchObject(members);
    },
  },
  {
    id: "2-inputs",
    title: "any JSON is an input, null included",
    verifies: ["2.malformed-message"],
    async run({ service }) {
      for (const input of [null, false, 0, "", [], {}, "text", [null], -0.5, 1e300]) {
        expect(output(await callTool(await service(), "echo", input)).input).toEqual(input);
      }
    },
  },
  {
    id: "2-versions",
    title: "a version picks its tool; where there is one it may be absent",
    verifies: ["2.tool-version-mismatch", "3.versions"],
    async run({ service }) {
      const { send } = await service();
      for (const version of ["1.0.0", "2.0.0"]) {
        expect(
          output(await send({ body: toolWith({ tool: { id: "versioned", version } }) })),
        ).toEqual({ version });
      }
      output(await send({ body: toolWith({ tool: { id: "pinned" } }) }));
      output(await send({ body: toolWith({ tool: { id: "pinned", version: "1.2.3" } }) }));
    },
  },
  {
    id: "2-input-invalid",
    title: "input that breaks its schema is told issue by issue",
    verifies: ["2.input-invalid", "2.issues", "2.subject", "2.issues-all"],
    async run({ service }) {
      const answer = await callTool(await service(), "greet", { name: "", times: 0.5, more: 1 });
      const error = failure(answer, "input-validation-failed");
      expect(error.toolId).toBe("greet");
      expect(error.issues).toHaveLength(4);
      expect(error.issues).toEqual(
        expect.arrayContaining([
          {
            instancePath: "/name",
            schemaPath: "#/properties/name/minLength",
            keyword: "minLength",
            params: { limit: 1 },
            message: expect.any(String),
          },
          expect.objectContaining({
            instancePath: "/times",
            keyword: "type",
            params: { type: "integer" },
          }),
          expect.objectContaining({ instancePath: "/times", keyword: "minimum" }),
          expect.objectContaining({
            instancePath: "",
            schemaPath: "#/additionalProperties",
            keyword: "additionalProperties",
            params: { additionalProperty: "more" },
          }),
        ]),
      );
    },
  },
  {
    id: "2-input-missing",
    title: "a missing property is named",
    verifies: ["2.issues"],
    async run({ service }) {
      const error = failure(
        await callTool(await service(), "greet", {}),
        "input-validation-failed",
      );
      expect(error.issues).toEqual([
        {
          instancePath: "",
          schemaPath: "#/required",
          keyword: "required",
          params: { missingProperty: "name" },
          message: "must have required property 'name'",
        },
      ]);
    },
  },
  {
    id: "2-issues-all",
    title: "all issues are listed, up to 100",
    verifies: ["2.issues-all"],
    async run({ service }) {
      const issuesOf = async (count: number) => {
        const input = Array.from({ length: count }, () => "no number");
        return failure(await callTool(await service(), "many", input), "input-validation-failed")
          .issues;
      };
      expect(await issuesOf(99)).toHaveLength(99);
      expect(await issuesOf(100)).toHaveLength(100);
      expect(await issuesOf(50_000)).toHaveLength(100);
    },
  },
  {
    id: "2-config-invalid",
    title: "a config that breaks its schema is told with its first issue in the message",
    verifies: ["2.config-invalid", "2.subject", "2.issues"],
    async run({ service }) {
      const numeric = failure(
        await callCheck(await service(), "check-numeric", { minimum: -1 }),
        "input-validation-failed",
      );
      expect(numeric.message).toMatch(/ at \/minimum: must be >= 0$/);
      const error = failure(
        await callCheck(await service(), "check-configured", { max: "a" }),
        "input-validation-failed",
      );
      expect(error.checkId).toBe("check-configured");
      expect(error.message).toMatch(/ at \/max: must NOT have fewer than 3 characters$/);
      expect(error.issues).toEqual([
        expect.objectContaining({ instancePath: "/max", keyword: "minLength" }),
      ]);
      output(await callCheck(await service(), "check-configured", { max: "abc" }));
    },
  },
  {
    id: "2-model-invalid",
    title: "a model's issues carry an escaped pointer and a message, no keyword",
    verifies: ["2.model-invalid", "2.issues-model", "2.subject"],
    async run({ service }) {
      const zod = failure(
        await callTool(await service(), "model-zod", { amount: -1, "a/b~c": ["x", 7] }),
        "input-validation-failed",
      );
      expect(zod.toolId).toBe("model-zod");
      expect(zod.issues?.map((issue) => issue.instancePath).toSorted()).toEqual(
        ["/amount", "/a~1b~0c/1"].toSorted(),
      );
      for (const issue of zod.issues ?? []) {
        expect(issue.message).not.toBe("");
        expect(issue).not.toHaveProperty("keyword");
      }
      const standard = failure(
        await callTool(await service(), "model-standard", { refuse: true }),
        "input-validation-failed",
      );
      expect(standard.issues).toEqual([
        { instancePath: "/a~1b/~0c/0", message: "refused" },
        { instancePath: "", message: "refused at the root" },
      ]);
    },
  },
  {
    id: "2-huge-error",
    title: "a named id of any kind is given back as it came",
    verifies: ["2.subject", "2.valid-200"],
    async run({ service }) {
      for (const id of ["ä😀", "\u0000", '"quoted"', "a".repeat(10_000), "\ud800"]) {
        const answer = await (
          await service()
        ).send({ body: JSON.stringify(toolWith({ tool: { id } })) });
        expect(failure(answer, "tool-not-in-pack").toolId).toBe(id);
        expect(json(answer).message.length).toBeLessThan(20_000);
      }
    },
  },
  {
    id: "2-large-text",
    title: "a large text of every kind of character is answered as it came",
    verifies: ["1.invoke", "2.valid-200"],
    async run({ service }) {
      const text = 'aä€😀"\u0000\ud800'.repeat(20_000);
      const answer = await (await service()).send({ body: invoke("echo", text) });
      // Compared by hand: a failure would print all of it.
      expect((output(answer) as { input: string }).input === text).toBe(true);
    },
  },
];
