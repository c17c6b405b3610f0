import { randomBytes } from "node:crypto";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { nodeHost, runProcess } from "../../dist/node.js";

const TOKEN_NAME = "KINDGI_PACK_SERVICE_TOKEN";

/** The token made for this run, `undefined` when the environment holds one. */
const madeToken = process.env[TOKEN_NAME]?.trim()
  ? undefined
  : randomBytes(24).toString("base64url");
if (madeToken) process.env[TOKEN_NAME] = madeToken;

const index = fileURLToPath(new URL("index.json", import.meta.url));
const host = nodeHost();

await runProcess({
  ...host,
  argv: ["--index", index, "--host", "127.0.0.1", ...process.argv.slice(2)],
  async serve(options) {
    const server = await host.serve(options);
    process.stdout.write(welcome(`http://${server.hostname}:${server.port}`));
    return server;
  },
});

/** @param {string} url */
function welcome(url) {
  const lines = madeToken
    ? [
        "Its token, new with every start; for other terminals:",
        "",
        `  export ${TOKEN_NAME}=${madeToken}`,
      ]
    : [`Its token is what ${TOKEN_NAME} holds.`];
  const message = {
    v: 2,
    kind: "invoke",
    tool: { id: "record-expense" },
    input: { vendor: "Blue Bottle", amount: "4.50" },
    ctx: { tenantId: "demo", runId: "run-1" },
  };
  return [
    `The ledger pack is served at ${url}`,
    ...lines,
    "",
    "Record an expense:",
    "",
    `  curl -s ${url}/v1/invoke \\`,
    `    -H "kindgi-pack-token: ${madeToken ?? `$${TOKEN_NAME}`}" \\`,
    '    -H "content-type: application/json" \\',
    `    -d '${JSON.stringify(message)}'`,
    "",
    "",
  ].join("\n");
}
