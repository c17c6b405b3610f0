import { TOKEN } from "./server.mjs";

export const PATH = "/v1/invoke";
export const HEADERS = { "content-type": "application/json", "kindgi-pack-token": TOKEN };

export function urlOf(port) {
  return `http://127.0.0.1:${port}${PATH}`;
}
