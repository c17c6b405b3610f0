import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";
import { ERROR_CODES } from "../../src/protocol.ts";

const version = { const: 2 };

const issue = {
  type: "object",
  properties: {
    instancePath: { type: "string" },
    schemaPath: { type: "string" },
    keyword: { type: "string" },
    params: { type: "object" },
    message: { type: "string" },
  },
  required: ["instancePath", "message"],
};

/** The protocol's response definition. */
const response = {
  oneOf: [
    {
      type: "object",
      properties: { v: version, kind: { const: "result" }, output: true },
      required: ["v", "kind", "output"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: {
        v: version,
        kind: { const: "check-result" },
        result: {
          type: "object",
          properties: {
            passed: { type: "boolean" },
            reason: { type: "string" },
            judgeResponse: { type: "string" },
            attributes: { type: "object" },
          },
          required: ["passed"],
        },
      },
      required: ["v", "kind", "result"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: {
        v: version,
        kind: { const: "error" },
        code: { enum: ERROR_CODES },
        message: { type: "string" },
        toolId: { type: "string" },
        checkId: { type: "string" },
        cause: true,
        issues: { type: "array", items: issue, maxItems: 100 },
      },
      required: ["v", "kind", "code", "message"],
      additionalProperties: false,
    },
  ],
};

/** The protocol's info definition. */
const info = {
  type: "object",
  properties: {
    protocol: version,
    packId: { type: "string" },
    packVersion: { type: "string" },
    artifactVersion: { type: "string" },
    tools: {
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: "string" }, version: { type: "string" } },
        required: ["id"],
        additionalProperties: false,
      },
    },
    checks: { type: "array", items: { type: "string" } },
    missingEnv: { type: "array", items: { type: "string" } },
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
};

const ajv = new Ajv2020({ allErrors: true });
const validateResponse = ajv.compile(response);
const validateInfo = ajv.compile(info);

/** What makes a body no response of the protocol, if anything. */
export function responseProblems(body: unknown): string[] {
  return problems(validateResponse, body);
}

export function infoProblems(body: unknown): string[] {
  return problems(validateInfo, body);
}

function problems(validate: ValidateFunction, body: unknown): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
