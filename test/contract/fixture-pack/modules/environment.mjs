import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";

/** The environment as pack code, its children and its workers see it. */
export default async () => ({
  own: { ...process.env },
  child: spawnSync("env", { encoding: "utf8" }).stdout,
  bun: globalThis.Bun?.env,
  bunChild: globalThis.Bun?.spawnSync(["env"]).stdout.toString(),
  deno: globalThis.Deno?.env.toObject(),
  worker: await workerEnvironment(),
});

function workerEnvironment() {
  const source = `require("node:worker_threads").parentPort.postMessage({ ...process.env })`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(source, { eval: true });
    worker.once("message", (env) => {
      resolve(env);
      void worker.terminate();
    });
    worker.once("error", reject);
  });
}
