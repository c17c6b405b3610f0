import { deepStrictEqual } from "node:assert/strict";
import { HEADERS, urlOf } from "./request.mjs";
import { messageBody } from "./workloads.mjs";

const TOOL = "measure-documents";

/** Calls that a server has to refuse. With no documents the tool's answer breaks the output schema. */
const REFUSED = {
  "a wrong token": { headers: { "kindgi-pack-token": "wrong" } },
  "another content type": { headers: { "content-type": "text/plain" } },
  "an input against its schema": { body: messageBody(TOOL, { documents: [{ id: 1 }] }) },
  "an output against its schema": { body: messageBody(TOOL, { documents: [] }) },
};

/** @throws Error when a server doesn't answer as it has to, or leaves out a check that it is to pay for */
export async function checkSameWork(port, { tool, body, answer }, { isChecking, basePath }) {
  const url = urlOf(port, basePath);
  const response = await send(url, body);
  deepStrictEqual(await response.json(), answer);
  if (!isChecking || tool !== TOOL) return;
  for (const [what, { body: refusedBody = body, headers }] of Object.entries(REFUSED)) {
    const refused = await send(url, refusedBody, headers);
    const message = await refused.text();
    const isAccepted = refused.ok && JSON.parse(message).kind === "result";
    if (isAccepted) throw new Error(`the server accepts ${what}: ${message.slice(0, 500)}`);
  }
}

function send(url, body, headers) {
  return fetch(url, { method: "POST", headers: { ...HEADERS, ...headers }, body });
}
