import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startChild } from "./lib/child.mjs";
import { BENCH, ROOT } from "./lib/paths.mjs";
import { serviceCommand } from "./lib/service-command.mjs";

export const TOKEN = "soak-token~!x9";

const ENVIRONMENT = {
  PATH: process.env.PATH ?? "",
  HOME: tmpdir(),
  PORT: "0",
  KINDGI_PACK_SERVICE_TOKEN: TOKEN,
  DENO_DIR: join(tmpdir(), "pack-handler-deno"),
  DENO_NO_UPDATE_CHECK: "1",
};

const BOOT_LIMIT_MS = 60_000;

/** Starts the service so that its pack can force a collection. `onRecord` gets each record of its stderr. */
export async function startService(host, onRecord) {
  const command = withCollector(host, serviceCommand(host, join(BENCH, "soak-pack/index.json")));
  const child = startChild(command, {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const foreign = [];
  const boot = setTimeout(() => child.kill("SIGKILL"), BOOT_LIMIT_MS);
  const port = await new Promise((resolve, reject) => {
    child.once("exit", (code, signal) => {
      reject(new Error(`The service ended in its boot with ${code ?? signal}: ${foreign}`));
    });
    createInterface({ input: child.stderr }).on("line", (line) => {
      const record = line.startsWith("{") ? JSON.parse(line) : undefined;
      if (record?.event === "listening") resolve(record.port);
      if (record) onRecord(record);
      else foreign.push(line);
    });
  });
  clearTimeout(boot);
  return { child, port, foreign };
}

function withCollector({ runtime }, [binary, ...args]) {
  if (runtime === "node") return [binary, "--expose-gc", ...args];
  if (runtime === "deno") return [binary, args[0], "--v8-flags=--expose-gc", ...args.slice(1)];
  return [binary, ...args];
}
