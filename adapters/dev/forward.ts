import { request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { encodeJson } from "../../src/json.ts";
import { RETRY_AFTER_SECONDS } from "../../src/protocol.ts";
import type { Refusal } from "../../src/protocol.ts";
import { discardRest } from "../node-server.ts";
import type { Upstream } from "./upstream.ts";

/** What is about one connection, not about the message that goes over it. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Names and values in turn, as Node has them raw. */
export type RawHeaders = readonly string[];

/**
 * Passes a request on to a service and its answer back, bytes and headers as they are. Each goes over a connection of
 * its own: a kept one may be closed by the service at the moment it is used again.
 *
 * The caller's disconnect ends the service's request. A service that ends meanwhile is a 500: the call may have run.
 */
export function forward(
  req: IncomingMessage,
  res: ServerResponse,
  upstream: Upstream,
  headers: RawHeaders = req.rawHeaders,
): void {
  const leave = upstream.enter();
  res.once("close", leave);
  const passed = request({
    host: "127.0.0.1",
    port: upstream.port,
    method: req.method ?? "GET",
    path: req.url ?? "/",
    headers: requestHeaders(req, headers) as string[],
    setHost: false,
    agent: false,
  });
  res.once("close", () => passed.destroy());
  passed.on("continue", () => res.writeContinue());
  passed.on("response", (answer) => passBack(req, res, answer, passed));
  passed.on("error", (error: NodeJS.ErrnoException) => {
    if (res.headersSent) return;
    req.unpipe(passed);
    const isUntouched = error.code === "ECONNREFUSED";
    void (isUntouched ? refuse(req, res) : answerJson(req, res, 500, { error: ENDED }));
  });
  // A caller may wait for an answer to its headers alone.
  passed.flushHeaders();
  req.pipe(passed);
}

const ENDED = "the service ended while the request was under way; the call may have run";

/** Says that nothing takes calls now: the call did not run. */
export function refuse(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return answerJson(req, res, 503, { error: "not ready" }, { "retry-after": RETRY_AFTER_SECONDS });
}

export function answerJson(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: Refusal | object,
  headers: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const bytes = Buffer.from(encodeJson(body));
  res.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "content-length": bytes.length,
    ...headers,
  });
  if (req.method !== "HEAD") res.write(bytes);
  return endAnswer(req, res);
}

function passBack(
  req: IncomingMessage,
  res: ServerResponse,
  answer: IncomingMessage,
  passed: ReturnType<typeof request>,
): void {
  const { statusCode = 500, statusMessage = "" } = answer;
  res.sendDate = false;
  res.writeHead(statusCode, statusMessage, endToEnd(answer.rawHeaders));
  res.flushHeaders();
  answer.pipe(res, { end: false });
  answer.once("close", () => {
    if (!answer.complete) return void res.destroy();
    req.unpipe(passed);
    void endAnswer(req, res);
  });
}

/** An answer that comes before its request's end is out, but its end waits: Node would reset the connection. */
async function endAnswer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!req.complete) {
    const rest = discardRest(req);
    req.resume();
    if (!(await rest)) return void req.socket.destroy();
  }
  res.end();
}

/** A body's framing is kept; one that has none is said to be empty, which Node would leave open. */
function requestHeaders(req: IncomingMessage, headers: RawHeaders): string[] {
  const passed = endToEnd(headers);
  const { "transfer-encoding": coding, "content-length": length } = req.headers;
  if (coding !== undefined) return [...passed, "transfer-encoding", "chunked"];
  const isBodiless = req.method === "GET" || req.method === "HEAD";
  return length === undefined && !isBodiless ? [...passed, "content-length", "0"] : passed;
}

/** The headers without those of the connection, and those that it names as its own. */
function endToEnd(headers: RawHeaders): string[] {
  const dropped = new Set(HOP_BY_HOP);
  forEachHeader(headers, (name, value) => {
    if (name.toLowerCase() !== "connection") return;
    for (const token of value.split(",")) dropped.add(token.trim().toLowerCase());
  });
  const kept: string[] = [];
  forEachHeader(headers, (name, value) => {
    if (!dropped.has(name.toLowerCase())) kept.push(name, value);
  });
  return kept;
}

function forEachHeader(headers: RawHeaders, visit: (name: string, value: string) => void): void {
  for (let i = 0; i < headers.length; i += 2) visit(headers[i] as string, headers[i + 1] as string);
}
