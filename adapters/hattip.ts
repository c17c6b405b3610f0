import type { ServerResponse } from "node:http";
import { watchSignal } from "../src/disconnect.ts";
import type { OnDisconnect } from "../src/disconnect.ts";
import { createPackHandler } from "../src/pack-handler.ts";
import type { PackModules } from "../src/modules.ts";
import type { PackHandlerOptions } from "../src/options.ts";
import { isBelow } from "./base-path.ts";
import { withLifecycle } from "./lifecycle.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** What this adapter uses of Hattip's context. `platform.response` is there on Node. */
export interface HattipContext {
  request: Request;
  platform?: unknown;
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
    const { response } = (platform ?? {}) as { response?: ServerResponse };
    if (response) responses.set(request, response);
    return handler(request);
  };
  return withLifecycle(hattipHandler, handler);
}

function watchResponse(response: ServerResponse, listener: () => void): () => void {
  const onClose = () => {
    if (!response.writableEnded) listener();
  };
  if (response.destroyed) onClose();
  else response.once("close", onClose);
  return () => response.off("close", onClose);
}
