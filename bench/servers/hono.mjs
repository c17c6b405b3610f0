// Hono on Deno, with its validator middleware over Ajv.
import { Hono } from "hono";
import { validator } from "hono/validator";
import { announce } from "./announce.mjs";
import { refusal } from "./guard.mjs";
import { compile } from "./schemas.mjs";
import { requestSchema, resultOf, tool } from "./tool.mjs";

const isRequest = compile(requestSchema);
const isOutput = compile(tool.output);

const app = new Hono();

app.use(async ({ req, json }, next) => {
  const refused = refusal(req.header("kindgi-pack-token"), req.header("content-type"));
  return refused ? json(refused.body, refused.status) : next();
});

const body = validator("json", (value, c) =>
  isRequest(value) ? value : c.json({ issues: isRequest.errors }, 400),
);
app.post("/v1/invoke", body, async (c) => {
  const result = await resultOf(c.req.valid("json").input);
  return isOutput(result.output) ? c.json(result) : c.json({ error: "invalid output" }, 500);
});

Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => announce(port) }, app.fetch);
