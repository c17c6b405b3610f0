// Elysia with its own validation of the request and the response.
import { Elysia } from "elysia";
import { announce } from "./announce.mjs";
import { refusal } from "./guard.mjs";
import { requestSchema, responseSchema, resultOf } from "./tool.mjs";
import { toTypeBox } from "./typebox.mjs";

const schemas = { body: toTypeBox(requestSchema), response: toTypeBox(responseSchema) };

// Normalising would drop what the schema doesn't know instead of refusing it.
new Elysia({ normalize: false })
  .onRequest(({ request: { headers }, set }) => {
    const refused = refusal(headers.get("kindgi-pack-token"), headers.get("content-type"));
    if (!refused) return undefined;
    set.status = refused.status;
    return refused.body;
  })
  .post("/v1/invoke", ({ body }) => resultOf(body.input), { ...schemas, parse: "json" })
  .listen({ hostname: "127.0.0.1", port: 0 }, ({ port }) => announce(port));
