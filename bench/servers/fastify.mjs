// Fastify with its own validation of the request and serialisation by schema; with "log" as second argument, its log too.
import process from "node:process";
import Fastify from "fastify";
import { announce } from "./announce.mjs";
import { refusal } from "./guard.mjs";
import { compile } from "./schemas.mjs";
import { requestSchema, responseSchema, resultOf, tool } from "./tool.mjs";

const app = Fastify({
  logger: process.argv[3] === "log",
  bodyLimit: 10_485_760,
  ajv: { customOptions: { allErrors: true, coerceTypes: false, removeAdditional: false } },
});

app.addHook("onRequest", async ({ headers }, reply) => {
  const refused = refusal(headers["kindgi-pack-token"], headers["content-type"]);
  return refused && reply.code(refused.status).send(refused.body);
});

const isOutput = compile(tool.output);
const schema = { body: requestSchema, response: { 200: responseSchema } };
app.post("/v1/invoke", { schema }, async ({ body }, reply) => {
  const result = await resultOf(body.input);
  return isOutput(result.output) ? result : reply.code(500).send({ error: "invalid output" });
});

await app.listen({ host: "127.0.0.1", port: 0 });
announce(app.server.address().port);
