// An example of docs/embedding.md with the bench pack: its path is the first argument.
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { observeServers } from "../../test/embedding/host/servers.mjs";
import { shared } from "../../test/embedding/host/shared.mjs";
import { announce } from "./announce.mjs";

const root = new URL("../pack/", import.meta.url);
const index = JSON.parse(readFileSync(new URL("index.json", root), "utf8"));
const modules = {};
for (const { modulePath } of index.tools) {
  modules[modulePath] = await import(new URL(modulePath, root).href);
}
const options = { token: process.env.KINDGI_PACK_SERVICE_TOKEN, logLevel: "error" };

shared.pack = { index, modules, options };
const servers = observeServers();
await import(pathToFileURL(process.argv[2]).href);
announce(await servers[0].listening());
