// What `next start` does around a route handler: the web request it makes, the methods it fills in, its own answers.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"];

/** Serves the exports of a route module. */
export function serveNext(route) {
  const handlers = methodHandlers(route);
  createServer((req, res) => {
    void answer(handlers, req, res).catch(() => res.destroy());
  }).listen(0);
}

/** HEAD is GET where the module has none, OPTIONS lists what there is, and any other method is a bare 405. */
function methodHandlers(route) {
  const handlers = new Map(
    METHODS.filter((method) => route[method]).map((method) => [method, route[method]]),
  );
  if (!handlers.has("HEAD") && handlers.has("GET")) handlers.set("HEAD", handlers.get("GET"));
  if (!handlers.has("OPTIONS")) {
    const allow = ["OPTIONS", ...handlers.keys()].toSorted().join(", ");
    handlers.set("OPTIONS", () => new Response(null, { status: 204, headers: { allow } }));
  }
  return handlers;
}

async function answer(handlers, req, res) {
  const handler = handlers.get(req.method) ?? (() => new Response(null, { status: 405 }));
  const params = Promise.resolve({ path: req.url.split("/").slice(3) });
  const response = await handler(toRequest(req, res), { params });
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(Readable.fromWeb(response.body), res);
  else res.end();
}

function toRequest(req, res) {
  const caller = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) caller.abort();
  });
  const hasBody = req.method !== "GET" && req.method !== "HEAD";
  return new Request(new URL(req.url, "http://localhost:3000"), {
    method: req.method,
    headers: Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    signal: caller.signal,
    body: hasBody ? Readable.toWeb(req) : undefined,
    duplex: "half",
  });
}
