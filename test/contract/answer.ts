import { expect } from "vitest";
import type { ErrorMessage, ResponseMessage } from "../../src/protocol.ts";
import { infoProblems, responseProblems } from "./protocol-schema.ts";
import { requestMethod } from "./target.ts";
import type { CaseRequest } from "./target.ts";

/** What came back, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

type Json = any;

export function json(answer: Answer): Json {
  return JSON.parse(answer.text);
}

const REFUSALS = [401, 404, 405, 413, 415, 500, 503];

/** What every answer must be, whatever the request was (§1, §2). */
export function checkAnswer(request: CaseRequest, answer: Answer): Answer {
  const { status, headers } = answer;
  const path = (request.path ?? "/v1/invoke").replace(/\?.*/, "");
  expect([200, ...REFUSALS]).toContain(status);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  if (requestMethod(request) === "HEAD") expect(answer.text).toBe("");
  else if (status !== 200) checkRefusal(answer);
  else if (path.endsWith("/v1/invoke")) checkResponse(answer);
  else if (path.endsWith("/v1/info")) expect(infoProblems(json(answer))).toEqual([]);
  return answer;
}

function checkRefusal({ status, headers, text }: Answer): void {
  const body: unknown = JSON.parse(text);
  expect(body).toEqual(expect.objectContaining({ error: expect.any(String) }));
  expect(headers.get("retry-after")).toBe(status === 503 ? "1" : null);
  expect(headers.has("allow")).toBe(status === 405);
}

function checkResponse(answer: Answer): void {
  expect(responseProblems(json(answer))).toEqual([]);
  expect(answer.headers.get("kindgi-duration-ms")).toMatch(/^\d+$/);
  expect(answer.headers.get("kindgi-artifact-version")).toMatch(/./);
}

/** The output of a call that must have gone well. */
export function output(answer: Answer): Json {
  expect(answer.status, answer.text).toBe(200);
  const message: ResponseMessage = json(answer);
  if (message.kind === "result") return message.output;
  if (message.kind === "check-result") return message.result;
  return expect.fail(`a result was expected, not ${answer.text.slice(0, 2_000)}`);
}

/** The message of a call that must have failed with a code. */
export function failure(answer: Answer, code: string): ErrorMessage {
  expect(answer.status, answer.text).toBe(200);
  const message: ErrorMessage = json(answer);
  expect(message, answer.text.slice(0, 2_000)).toMatchObject({ kind: "error", code });
  return message;
}

/** The body of a refusal with a status. */
export function refusal(answer: Answer, status: number): Json {
  expect(answer.status, answer.text.slice(0, 2_000)).toBe(status);
  return json(answer);
}
