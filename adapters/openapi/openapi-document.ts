import { checkIdOf } from "../../src/pack-index.ts";
import type { GuardrailEntry, PackIndex, ToolEntry } from "../../src/pack-index.ts";
import { PATHS } from "../../src/paths.ts";
import { ERROR_CODES, HEADERS } from "../../src/protocol.ts";
import type { JsonObject } from "../../src/json.ts";
import { embedSchema } from "./embed-schema.ts";

const SCHEMAS = "#/components/schemas/";
const TEXT = { type: "string" };
const VERSION = { const: 2, description: "The protocol's version" };

/**
 * A pack as OpenAPI 3.1 has it. All calls go to one route, so its body is one of a schema per tool and check, told apart by
 * the id; each tool's input and output are schemas with names of their own.
 *
 * @param url where the pack is served
 */
export function openApiDocument(index: PackIndex, url: string): JsonObject {
  const schemas: JsonObject = { ...SHARED_SCHEMAS };
  const names = new Names(Object.keys(schemas));
  const bodies = [
    ...index.tools.map((tool) => addTool(tool, index, schemas, names)),
    ...index.guardrails.map((guardrail) => addCheck(guardrail, schemas, names)),
  ];
  const { packId, packVersion, artifactVersion } = index;
  return {
    openapi: "3.1.1",
    info: {
      title: packId,
      version: packVersion,
      description: `A pack of tools and checks, served over the pack protocol 2. Artifact ${artifactVersion}.`,
    },
    servers: [{ url }],
    security: [{ packToken: [] }],
    paths: paths(bodies),
    components: {
      securitySchemes: { packToken: { type: "apiKey", in: "header", name: HEADERS.token } },
      schemas,
    },
  };
}

/** Names of components: letters, digits, `.`, `-` and `_`, each given once. */
class Names {
  readonly #given: Set<string>;

  constructor(taken: readonly string[]) {
    this.#given = new Set(taken);
  }

  /** A name that is free with each of these endings. */
  make(wanted: string, endings: readonly string[]): string {
    const plain = wanted.replace(/[^A-Za-z0-9._-]/g, "_");
    for (let count = 1; ; count++) {
      const name = count === 1 ? plain : `${plain}_${count}`;
      const all = endings.map((ending) => name + ending);
      if (all.some((each) => this.#given.has(each))) continue;
      for (const each of all) this.#given.add(each);
      return name;
    }
  }
}

function addTool(
  tool: ToolEntry,
  { tools }: PackIndex,
  schemas: JsonObject,
  names: Names,
): JsonObject {
  const { id, version, description } = tool;
  const isOneOfSeveral = tools.filter((other) => other.id === id).length > 1;
  const wanted = isOneOfSeveral && version !== undefined ? `${id}-${version}` : id;
  const name = names.make(wanted, ["", ".input", ".output"]);
  addSchema(schemas, `${name}.input`, tool.input);
  addSchema(schemas, `${name}.output`, tool.output);
  const needsVersion = isOneOfSeveral && version !== undefined;
  schemas[name] = {
    title: version === undefined ? id : `${id} ${version}`,
    ...(description === undefined ? {} : { description }),
    type: "object",
    properties: {
      v: VERSION,
      kind: { const: "invoke" },
      tool: {
        type: "object",
        properties: {
          id: { const: id },
          version: version === undefined ? TEXT : { const: version },
        },
        required: needsVersion ? ["id", "version"] : ["id"],
      },
      input: { $ref: `${SCHEMAS}${name}.input` },
      ctx: { $ref: `${SCHEMAS}CallContext` },
    },
    required: ["v", "kind", "tool", "input", "ctx"],
    "x-output": { $ref: `${SCHEMAS}${name}.output` },
  };
  return { $ref: SCHEMAS + name };
}

function addCheck(guardrail: GuardrailEntry, schemas: JsonObject, names: Names): JsonObject {
  const id = checkIdOf(guardrail);
  const { configSchema } = guardrail;
  const name = names.make(id, ["", ".config"]);
  if (configSchema !== undefined) addSchema(schemas, `${name}.config`, configSchema);
  const config = configSchema === undefined ? {} : { $ref: `${SCHEMAS}${name}.config` };
  schemas[name] = {
    title: `check ${id}`,
    type: "object",
    properties: {
      v: VERSION,
      kind: { const: "check-invoke" },
      check: { type: "object", properties: { id: { const: id } }, required: ["id"] },
      config: { type: "object", ...config },
      trace: { description: "The run that is judged" },
    },
    required: ["v", "kind", "check", "config", "trace"],
  };
  return { $ref: SCHEMAS + name };
}

function addSchema(schemas: JsonObject, name: string, schema: unknown): void {
  schemas[name] = embedSchema(schema, SCHEMAS + name);
}

function paths(bodies: readonly JsonObject[]): JsonObject {
  const body = bodies.length === 0 ? { not: {} } : { oneOf: bodies };
  const answers = ["ToolResult", "CheckResultMessage", "Error"].map((name) => refTo(name));
  const token = { 401: refusal("The token is missing or wrong") };
  const unready = { 503: refusal("Not now; try again after Retry-After") };
  return {
    [PATHS.invoke]: {
      post: {
        operationId: "invoke",
        summary: "Runs a tool or a check",
        parameters: [
          {
            name: HEADERS.timeout,
            in: "header",
            description: "The call's deadline in milliseconds",
            schema: { type: "integer", minimum: 1, default: 120_000 },
          },
        ],
        requestBody: { required: true, content: json(body) },
        responses: {
          200: {
            ...answer("What running the pack's code came to", { oneOf: answers }),
            headers: CALL_HEADERS,
          },
          ...token,
          413: refusal("The body is over 10 MiB"),
          415: refusal("The content type isn't application/json"),
          500: refusal("The service itself failed"),
          ...unready,
        },
      },
    },
    [PATHS.info]: {
      get: {
        operationId: "info",
        summary: "What the pack holds",
        responses: { 200: answer("The pack", refTo("Info")), ...token },
      },
    },
    [PATHS.health]: statusRoute("health", "Whether the process is up", {}),
    [PATHS.ready]: statusRoute("ready", "Whether calls are taken", unready),
  };
}

function statusRoute(operationId: string, summary: string, refusals: JsonObject): JsonObject {
  const status = { type: "object", properties: { status: TEXT }, required: ["status"] };
  const responses = { 200: answer("It is", status), ...refusals };
  return { get: { operationId, summary, security: [], responses } };
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

function answer(description: string, schema: JsonObject): JsonObject {
  return { description, content: json(schema) };
}

function refusal(description: string): JsonObject {
  return answer(description, refTo("Refusal"));
}

function refTo(name: string): JsonObject {
  return { $ref: SCHEMAS + name };
}

const CALL_HEADERS = {
  [HEADERS.duration]: { schema: { type: "integer" } },
  [HEADERS.artifactVersion]: { schema: TEXT },
};

const OPEN = { type: "object" };

/** The protocol's own messages. */
const SHARED_SCHEMAS: JsonObject = {
  CallContext: {
    type: "object",
    properties: {
      tenantId: TEXT,
      runId: TEXT,
      requestId: TEXT,
      env: OPEN,
      secrets: OPEN,
      config: OPEN,
    },
    required: ["tenantId", "runId"],
  },
  ToolResult: {
    type: "object",
    properties: {
      v: VERSION,
      kind: { const: "result" },
      output: { description: "See each tool's x-output" },
    },
    required: ["v", "kind", "output"],
  },
  CheckResultMessage: {
    type: "object",
    properties: {
      v: VERSION,
      kind: { const: "check-result" },
      result: {
        type: "object",
        properties: {
          passed: { type: "boolean" },
          reason: TEXT,
          judgeResponse: TEXT,
          attributes: OPEN,
        },
        required: ["passed"],
      },
    },
    required: ["v", "kind", "result"],
  },
  Error: {
    type: "object",
    properties: {
      v: VERSION,
      kind: { const: "error" },
      code: { enum: [...ERROR_CODES] },
      message: TEXT,
      toolId: TEXT,
      checkId: TEXT,
      cause: {},
      issues: { type: "array", items: refTo("Issue") },
    },
    required: ["v", "kind", "code", "message"],
  },
  Issue: {
    type: "object",
    properties: {
      instancePath: TEXT,
      schemaPath: TEXT,
      keyword: TEXT,
      params: OPEN,
      message: TEXT,
    },
    required: ["instancePath", "message"],
  },
  Info: {
    type: "object",
    properties: {
      protocol: VERSION,
      packId: TEXT,
      packVersion: TEXT,
      artifactVersion: TEXT,
      tools: {
        type: "array",
        items: { type: "object", properties: { id: TEXT, version: TEXT }, required: ["id"] },
      },
      checks: { type: "array", items: TEXT },
      missingEnv: { type: "array", items: TEXT },
    },
    required: [
      "protocol",
      "packId",
      "packVersion",
      "artifactVersion",
      "tools",
      "checks",
      "missingEnv",
    ],
  },
  Refusal: { type: "object", properties: { error: TEXT }, required: ["error"] },
};
