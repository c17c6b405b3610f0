// Runs examples from the documentation in this process, each with a pack of its own, as lines of JSON on stdin ask.
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { observeServers } from "./servers.mjs";
import { shared } from "./shared.mjs";
import { serveLambda } from "../platforms/lambda.mjs";
import { serveNext } from "../platforms/next.mjs";

const PLATFORMS = { lambda: serveLambda, next: serveNext };
const observed = observeServers();
const services = new Map();

function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function loadModules(root, paths, lazy) {
  const modules = {};
  for (const path of paths) {
    const load = () => import(new URL(path, root).href);
    modules[path] = lazy ? load : await load();
  }
  return modules;
}

const COMMANDS = {
  async start({ id, snippet, platform, pack, lazy, options }) {
    const modules = await loadModules(pack.root, pack.modules, lazy);
    const onRecord = (record) => send({ id, record });
    shared.pack = { index: pack.index, modules, options: { ...options, onRecord } };
    shared.handlers = [];
    observed.length = 0;
    if (platform) await PLATFORMS[platform](snippet);
    else await import(pathToFileURL(snippet).href);
    const { handlers } = shared;
    await Promise.all(handlers.map(({ ready }) => ready));
    const [server] = observed;
    services.set(id, { handlers, server });
    return { port: await server.listening() };
  },
  async drain({ id }) {
    await Promise.all(services.get(id).handlers.map((handler) => handler.drain()));
  },
  async stop({ id }) {
    const { handlers, server } = services.get(id);
    await Promise.all(handlers.map((handler) => handler.drain({ graceMs: 1 })));
    server.close();
  },
};

async function run({ command, call, ...parameters }) {
  try {
    send({ call, result: (await COMMANDS[command](parameters)) ?? {} });
  } catch (error) {
    const { code, problems, stack } = error;
    send({ call, failure: { code, problems, stack } });
  }
}

// One start after the other: what is observed meanwhile is the example's.
let starting = Promise.resolve();
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.command === "start") starting = starting.then(() => run(message));
  else void run(message);
});
lines.on("close", () => process.exit(0));
