import { announce } from "../announce.mjs";
import { fetchHandler } from "./fetch.mjs";

export function serve(answer) {
  const onListen = ({ port }) => announce(port);
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, fetchHandler(answer));
}
