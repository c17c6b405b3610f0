import { request } from "node:http";
import { TOKEN } from "./server.mjs";

export const PATH = "/v1/invoke";
export const HEADERS = { "content-type": "application/json", "kindgi-pack-token": TOKEN };

/** @param basePath where the service is mounted in a bigger app */
export function urlOf(port, basePath = "") {
  return `http://127.0.0.1:${port}${basePath}${PATH}`;
}

/** Posts a body as a call. Returns the text of what is answered. */
export function send(port, body, agent) {
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS, "content-length": body.length };
    const outgoing = request(urlOf(port), { method: "POST", agent, headers });
    outgoing.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("error", reject);
      response.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text));
    });
    outgoing.end(body);
  });
}
