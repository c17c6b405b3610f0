import { TOKEN } from "./server.mjs";

export const PATH = "/v1/invoke";
export const HEADERS = { "content-type": "application/json", "kindgi-pack-token": TOKEN };

/** @param basePath where the service is mounted in a bigger app */
export function urlOf(port, basePath = "") {
  return `http://127.0.0.1:${port}${basePath}${PATH}`;
}
