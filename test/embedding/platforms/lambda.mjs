// What a Lambda function URL does around a function: an event of format 2.0 with the whole body, one answer, no more.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/** What Lambda takes of an event. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** Serves the `handler` that a function's module exports. One that fails is a 502. */
export async function serveLambda(path) {
  const { handler } = await import(pathToFileURL(path).href);
  createServer((req, res) => {
    void answer(handler, req, res).catch(() => {
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end("Internal Server Error");
    });
  }).listen(0);
}

async function answer(handler, req, res) {
  const body = await buffer(req);
  const event = toEvent(req, body);
  if (event.body?.length > MAX_EVENT_BYTES) {
    res.writeHead(413, { "content-type": "application/json" }).end('{"Message":null}');
    return;
  }
  const result = await handler(event, { awsRequestId: "1" });
  res.writeHead(result.statusCode, result.headers);
  res.end(Buffer.from(result.body ?? "", result.isBase64Encoded ? "base64" : "utf8"));
}

function toEvent({ method, url, headers }, body) {
  const [rawPath, rawQueryString = ""] = url.split(/\?(.*)/s);
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers,
    requestContext: {
      domainName: headers.host,
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "127.0.0.1" },
    },
    ...(body.length > 0 && bodyMembers(headers["content-type"], body)),
  };
}

const TEXT = /^(text\/|application\/(json|javascript|xml)\b)/i;

function bodyMembers(type = "", body) {
  const isBase64Encoded = !TEXT.test(type);
  return { body: body.toString(isBase64Encoded ? "base64" : "utf8"), isBase64Encoded };
}
