import { announce } from "../announce.mjs";
import { fetchHandler } from "./fetch.mjs";

export function serve(answer) {
  const fetch = fetchHandler(answer);
  announce(Bun.serve({ hostname: "127.0.0.1", port: 0, development: false, fetch }).port);
}
