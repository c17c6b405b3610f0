import type { IncomingMessage, ServerResponse } from "node:http";
import { watchSignal } from "../src/disconnect.ts";
import type { OnDisconnect } from "../src/disconnect.ts";
import { createPackHandler } from "../src/pack-handler.ts";
import type { PackModules } from "../src/modules.ts";
import type { PackHandlerOptions } from "../src/options.ts";
import { isBelow } from "./base-path.ts";
import { withLifecycle } from "./lifecycle.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** What this adapter uses of Hattip's context. `platform` holds Node's request and response on Node. */
export interface HattipContext {
  request: Request;
  platform?: unknown;
}

/** What Hattip's adapter for Node takes as the body instead of the request's stream. */
type DecoratedRequest = IncomingMessage & { rawBody?: unknown };

interface NodePlatform {
  request?: DecoratedRequest;
  response?: ServerResponse;
}

export type PackHattipOptions = Omit<PackHandlerOptions, "onDisconnect">;

/** A pack service as a handler of Hattip's. */
export type PackHattipHandler = ((context: HattipContext) => Promise<Response> | undefined) &
  Lifecycle;

/**
 * Makes a pack service of an index and the modules it names, for `compose` and the adapters of Hattip. What doesn't
 * lie below `basePath` is left to the next handler.
 *
 * On Node the disconnect is learnt from Node's own response, since the signal of Hattip's request aborts as soon as
 * its body is read.
 *
 * @param index the content of `index.json`
 * @param modules module path → namespace, or a function that imports it
 * @throws PackError with every problem, when the index is wrong, or a module or schema at hand is
 * @throws TypeError when an option's value can't be used
 */
export function createPackHattipHandler(
  index: unknown,
  modules: PackModules,
  options: PackHattipOptions = {},
): PackHattipHandler {
  const responses = new WeakMap<Request, ServerResponse>();
  const onDisconnect: OnDisconnect = (request, listener) => {
    const response = responses.get(request);
    return response ? watchResponse(response, listener) : watchSignal(request, listener);
  };
  const handler = createPackHandler(index, modules, { ...options, onDisconnect });
  const { basePath = "" } = options;
  const hattipHandler = ({ request, platform }: HattipContext) => {
    if (!isBelow(request.url, basePath)) return undefined;
    const { request: nodeRequest, response } = (platform ?? {}) as NodePlatform;
    if (response) responses.set(request, response);
    if (nodeRequest?.rawBody === READ_BODY) void request.body?.cancel();
    return handler(request);
  };
  return withLifecycle(hattipHandler, handler);
}

/** Stands for a body that was read. Its request's body is cancelled, by which the service sees that it can't be read. */
const READ_BODY = new Uint8Array(0);

/**
 * Middleware of Connect or Express to put ahead of Hattip's adapter for Node, which fails with a 500 of its own when a body
 * parser has read the request's body. With it the pack service answers such a call `malformed-message`, and says what to
 * change. A body that the platform or the parser has kept as `rawBody` is left to the adapter, which uses it.
 */
export function admitReadBodies(
  req: IncomingMessage,
  _res: ServerResponse,
  next: (error?: unknown) => void,
): void {
  const decorated: DecoratedRequest = req;
  if (req.readableDidRead && decorated.rawBody === undefined) decorated.rawBody = READ_BODY;
  next();
}

function watchResponse(response: ServerResponse, listener: () => void): () => void {
  const onClose = () => {
    if (!response.writableEnded) listener();
  };
  if (response.destroyed) onClose();
  else response.once("close", onClose);
  return () => response.off("close", onClose);
}
