// What `next start` does around route handlers: how it finds them, the web request it makes, the methods it fills in, its
// own answers.
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"];

const ORIGIN = "http://localhost:3000";

/** Serves all routes of the app that a route module is part of. */
export async function serveNext(path) {
  const routes = await loadRoutes(path.slice(0, path.lastIndexOf("/app/") + "/app".length));
  createServer((req, res) => {
    void answer(routes, req, res).catch(() => {
      if (res.headersSent) res.destroy();
      else res.writeHead(500).end();
    });
  }).listen(0);
}

/** The routes below a folder `[...path]`: what their paths begin with, and their handlers. */
async function loadRoutes(app) {
  const files = readdirSync(app, { recursive: true }).filter((file) => file.endsWith("route.js"));
  return Promise.all(
    files.map(async (file) => ({
      prefix: `/${dirname(dirname(file))}/`,
      handlers: methodHandlers(await import(pathToFileURL(join(app, file)).href)),
    })),
  );
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

async function answer(routes, req, res) {
  const { pathname } = new URL(req.url, ORIGIN);
  if (pathname !== "/" && pathname.endsWith("/")) {
    res.writeHead(308, { location: pathname.slice(0, -1) }).end();
    return;
  }
  const route = routes.find(({ prefix }) => pathname.startsWith(prefix));
  if (!route) {
    res.writeHead(404).end("This page could not be found.");
    return;
  }
  const { prefix, handlers } = route;
  const handler = handlers.get(req.method) ?? (() => new Response(null, { status: 405 }));
  const params = Promise.resolve({ path: pathname.slice(prefix.length).split("/") });
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
  return new Request(new URL(req.url, ORIGIN), {
    method: req.method,
    headers: Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    signal: caller.signal,
    body: hasBody ? Readable.toWeb(req) : undefined,
    duplex: "half",
  });
}
