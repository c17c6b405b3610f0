import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { compilePack } from "../../adapters/compile/compile-pack.ts";
import { checkAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { layPack } from "./packs.ts";
import { parseRecord, sendTo, settingsOf } from "./process.ts";
import type { HangUp } from "./process.ts";
import { RecordLog } from "./record-log.ts";
import { recordProblems } from "./record-shape.ts";
import type { CaseRequest, EdgeTarget, PackSource, Service } from "./target.ts";
import { launchOf } from "./edge/launch.ts";
import type { EdgeRuntime, Launch } from "./edge/launch.ts";

/** How workerd, the scripts that serve a worker, and Deno say where they listen. */
const PORT = /^(?:listening on |Listening on http.*:|.*"event":"listen".*"port":)(\d+)/i;

const folder = mkdtempSync(join(tmpdir(), "edge-workers-"));
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** The worker that a pack is compiled to, served by a runtime. */
export function edgeTarget(runtime: EdgeRuntime): EdgeTarget {
  return {
    name: `edge-${runtime}`,
    kind: "edge",
    async start(options) {
      const compiled = await compileOnce(options.pack);
      if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
      const variables = { ...settingsOf(options), ...options.env };
      // To workerd, a caller that closes its side may still be reading; a reset ends it all.
      const hangUp = runtime === "workerd" ? "reset" : "close";
      return serveWorker(launchOf(runtime, compiled.file, variables), hangUp);
    },
    async problems(options) {
      const compiled = await compileOnce(options.pack);
      if ("problems" in compiled) return [...compiled.problems];
      throw new Error("the pack was compiled");
    },
  };
}

/**
 * Sends a request, again if its connection was closed while it was being sent: a server that isn't ours may answer and
 * close before all has come, and then the answer can't be read.
 */
async function sendWhole(port: number, request: CaseRequest, hangUp: HangUp): Promise<Answer> {
  for (let retries = 5; ; retries--) {
    try {
      return await sendTo(port, request, request.closes ? "close" : hangUp);
    } catch (error) {
      if (retries === 0 || (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
    }
  }
}

type CompiledFile = { file: string } | { problems: readonly string[] };

const compiledPacks = new Map<string, Promise<CompiledFile>>();

/** Equal packs are compiled once: what differs between services comes from their environment. */
function compileOnce(pack: PackSource = {}): Promise<CompiledFile> {
  const key = JSON.stringify(pack);
  const compiled = compiledPacks.get(key) ?? compile(pack, compiledPacks.size);
  compiledPacks.set(key, compiled);
  return compiled;
}

async function compile(source: PackSource, number: number): Promise<CompiledFile> {
  const pack = layPack(source);
  try {
    const { index, moduleRoot } = pack;
    const options = { index, moduleRoot, bundleMap: undefined, external: [], minify: false };
    const compiled = await compilePack(options);
    if ("problems" in compiled) return compiled;
    const file = join(folder, `worker-${number}.mjs`);
    writeFileSync(file, compiled.text);
    return { file };
  } finally {
    pack.remove();
  }
}

/** A worker that is served, and has answered its first request. */
export async function serveWorker(
  { path, args, env }: Launch,
  hangUp: HangUp = "close",
): Promise<Service> {
  // Errors and warnings go to stderr: by a pipe of its own, they could come after the record of their call.
  const command = ["-c", 'exec "$0" "$@" 2>&1', path, ...args];
  const child = spawn("/bin/sh", command, { env, stdio: ["ignore", "pipe", "ignore", "pipe"] });
  running.add(child);
  const records = new RecordLog();
  const output: string[] = [];
  const exited = once(child, "close").then(() => {
    running.delete(child);
    records.end();
  });
  const listening = new Promise<number>((resolve, reject) => {
    const onLine = (line: string) => {
      output.push(line);
      const port = PORT.exec(line)?.[1];
      if (port !== undefined) return resolve(Number(port));
      const record = parseRecord(line);
      if (record) records.add(record);
    };
    for (const stream of [child.stdout, child.stdio[3]]) {
      createInterface({ input: stream as Readable }).on("line", onLine);
    }
    void exited.then(() => reject(new Error(`${path} ended; it wrote:\n${output.join("\n")}`)));
  });
  const port = await listening;
  const service: Service = {
    records,
    async send(request) {
      return checkAnswer(request, await sendWhole(port, request, hangUp));
    },
    drain() {
      throw new Error("no platform tells a worker that it is about to end");
    },
    async stop() {
      child.kill("SIGKILL");
      await exited;
      const bad = records.all.flatMap((record) => recordProblems(JSON.stringify(record)));
      if (bad.length > 0) throw new Error(`records break §8: ${bad.join("; ")}`);
    },
  };
  // A worker is made by its first request: a probe's, at most platforms.
  await service.send({ path: "/healthz" });
  return service;
}
