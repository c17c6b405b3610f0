import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { createPackHandler } from "../src/pack-handler.ts";
import type { PackModules } from "../src/modules.ts";
import type { PackHandlerOptions } from "../src/options.ts";
import { isBelow } from "./base-path.ts";
import type { HandlerSeams } from "./host.ts";
import { withLifecycle } from "./lifecycle.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { Exchanges, nodeSeams } from "./node-server.ts";

/** {@link PackHandlerOptions} without what this adapter hands in itself. */
export type PackMiddlewareOptions = Omit<PackHandlerOptions, keyof HandlerSeams>;

type Middleware = (
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** A pack service as middleware of Connect, Express or Fastify, or as the listener of a server of Node's. */
export type PackMiddleware = Middleware & Lifecycle;

/**
 * Makes a pack service of an index and the modules it names, for frameworks that hand on Node's own request and
 * response. A caller who closes its connection cancels its call.
 *
 * Without `basePath` it answers every request it is given, by the path that the framework's mount path leaves over.
 * With `basePath`, which is of the whole path whatever the framework has cut off, it answers what lies below and
 * hands the rest to `next`. It has to come ahead of body parsers: a call whose body was read before is answered
 * `malformed-message`.
 *
 * @param index the content of `index.json`
 * @param modules module path → namespace, or a function that imports it
 * @throws PackError with every problem, when the index is wrong, or a module or schema at hand is
 * @throws TypeError when an option's value can't be used
 */
export function createPackMiddleware(
  index: unknown,
  modules: PackModules,
  options: PackMiddlewareOptions = {},
): PackMiddleware {
  const handler = createPackHandler(index, modules, { ...options, ...nodeSeams });
  const exchanges = new Exchanges(handler);
  const { basePath = "" } = options;
  const middleware: Middleware = (req, res, next) => {
    const { url = "" } = req;
    const { originalUrl = url } = req as { originalUrl?: string };
    const target = basePath === "" ? url : originalUrl;
    if (next && !isBelow(target, basePath)) return next();
    // Those of HTTP/2 have the same members, as far as they are used.
    exchanges.start(req as IncomingMessage, res as ServerResponse, target);
  };
  return withLifecycle(middleware, handler);
}
