// Instructions that a small call costs on Node, counted by valgrind: what the clock can't tell on a shared machine.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { readOptions } from "./lib/options.mjs";
import { prepare } from "./lib/prepare.mjs";
import { numberText, print, printTable } from "./lib/print.mjs";
import { send } from "./lib/request.mjs";
import { environment, saveResults } from "./lib/results.mjs";
import { withServer } from "./lib/server.mjs";
import { scriptCommand } from "./lib/service-command.mjs";
import { withFolder } from "./lib/temporary-folder.mjs";
import { FLOOR, OURS, variants } from "./lib/variants.mjs";
import { workload } from "./lib/workloads.mjs";

const CONNECTIONS = 8;

const options = readOptions({ warmup: 40_000, calls: 20_000 });
const { runtime, warmup, calls } = options;
const { name, tool, body } = workload("in:1KiB");

/** What is counted: name → a server's command line, and variables of its environment. */
function counted(host) {
  const ours = variants(host, tool).get(OURS);
  return new Map([
    [FLOOR, { command: variants(host, tool).get(FLOOR) }],
    ["the adapter alone", { command: scriptCommand(host, "adapter.mjs", tool) }],
    [`${OURS}, no records`, { command: ours, variables: { KINDGI_LOG_LEVEL: "error" } }],
    [OURS, { command: ours }],
  ]);
}

/** Those of a whole process, with so many calls. */
function countOf({ command, variables }, count) {
  return withFolder(async (folder) => {
    const log = join(folder, "log");
    await withServer(valgrind(log, command), ({ port }) => sendMany(port, count), variables);
    const refs = /I\s+refs:\s+([\d,]+)/.exec(readFileSync(log, "utf8"));
    if (!refs) throw new Error(`valgrind counted nothing: ${readFileSync(log, "utf8")}`);
    return Number(refs[1].replaceAll(",", ""));
  });
}

function valgrind(log, command) {
  const files = [`--log-file=${log}`, "--cachegrind-out-file=/dev/null"];
  const flags = ["--tool=cachegrind", "--cache-sim=no", "--smc-check=all-non-file"];
  return ["valgrind", ...flags, ...files, ...command];
}

async function sendMany(port, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = count;
  const sendSome = async () => {
    while (left-- > 0) await send(port, body, agent);
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, sendSome));
  } finally {
    agent.destroy();
  }
}

if (runtime !== "node") throw new Error("valgrind counts Node's instructions only");
if (spawnSync("valgrind", ["--version"]).error) throw new Error("valgrind is not installed");
const host = { runtime, binary: await prepare(runtime) };
const perCall = {};
for (const [variant, server] of counted(host)) {
  const warm = await countOf(server, warmup);
  const whole = await countOf(server, warmup + calls);
  perCall[variant] = Math.round((whole - warm) / calls);
}
print(`\n${runtime}, ${name}, instructions of a call after ${warmup} others`);
const rows = Object.entries(perCall).map(([variant, count]) => [
  variant,
  count,
  numberText(count / perCall[FLOOR]),
]);
printTable(["", "instructions", `÷ ${FLOOR}`], rows);
const entry = { environment: environment(host), parameters: { warmup, calls }, perCall };
saveResults(options, "instructions", { [name]: entry });
