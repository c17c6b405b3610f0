// The floor's work by way of our adapter: our request and response, without a pack service between them.
import process from "node:process";
import { nodeHost } from "../../dist/node.js";
import { announce } from "./announce.mjs";
import { resultOf } from "./tool.mjs";

const MAX_BODY_BYTES = 10_485_760;

const { serve, seams } = nodeHost();
const { Response, readBody } = seams;
const headers = { "content-type": "application/json" };

async function handler(request) {
  const text = Buffer.from(await readBody(request, MAX_BODY_BYTES).bytes).toString();
  return new Response(JSON.stringify(await resultOf(JSON.parse(text).input)), {
    status: 200,
    headers,
  });
}

const { port } = await serve({ handler, hostname: "127.0.0.1", port: 0 });
process.once("SIGTERM", () => process.exit(0));
announce(port);
