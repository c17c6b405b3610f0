import { basename } from "node:path";
import { readWrangler } from "./wrangler.ts";

/**
 * A configuration of workerd that serves one worker on a free port of the loopback, with the date and the flags of the
 * example's wrangler.jsonc.
 *
 * @param file the worker, in the folder of the configuration
 */
export function workerdConfig(file: string, bindings: Readonly<Record<string, string>>): string {
  const { compatibility_date: date, compatibility_flags: flags } = readWrangler();
  const name = basename(file);
  const texts = Object.entries(bindings).map(
    ([key, text]) => `(name = ${quoted(key)}, text = ${quoted(text)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = ${quoted(name)}, esModule = embed ${quoted(name)})],
    compatibilityDate = ${quoted(date)},
    compatibilityFlags = [${flags.map(quoted).join(", ")}],
    bindings = [${texts.join(", ")}],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}

/** A text of Cap'n Proto's: its escapes are those of JSON, as far as names and values go. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
