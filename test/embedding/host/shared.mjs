import { createPackMiddleware } from "../../../dist/connect.js";
import { createPackHattipHandler } from "../../../dist/hattip.js";
import { createPackHandler } from "../../../dist/index.js";

const makers = { createPackHandler, createPackHattipHandler, createPackMiddleware };

/** What an example's `./pack.js` and its `pack-handler` share with its host (see snippets.ts). */
export const shared = {
  /** What `./pack.js` exports. */
  pack: undefined,
  /** What the example has made. */
  handlers: [],
  make(name, ...parameters) {
    const handler = makers[name](...parameters);
    shared.handlers.push(handler);
    return handler;
  },
};

globalThis[Symbol.for("pack-handler.embedding")] = shared;
