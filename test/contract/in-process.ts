import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPackHandler } from "../../src/index.ts";
import type { PackHandler, PackHandlerOptions } from "../../src/index.ts";
import { checkAnswer } from "./answer.ts";
import { layPack, moduleFiles } from "./packs.ts";
import { RecordLog } from "./record-log.ts";
import { recordProblems } from "./record-shape.ts";
import { requestBody, requestHeaders, requestMethod, TOKEN } from "./target.ts";
import type { CaseRequest, InProcessTarget, Service, StartOptions } from "./target.ts";

/** The fetch handler itself, over the fixture modules. */
export const inProcess: InProcessTarget = {
  name: "in-process",
  kind: "in-process",
  async start(options) {
    const { handler, records } = await createHandler(options);
    await handler.ready;
    return serviceOver(handler, records);
  },
  async problems(options) {
    try {
      const { handler } = await createHandler(options);
      await handler.ready;
    } catch (error) {
      return problemsOf(error);
    }
    throw new Error("the pack was served");
  },
};

function problemsOf(error: unknown): string[] {
  const { code, problems } = error as { code?: unknown; problems?: unknown };
  if (code === "PACK_INVALID" && Array.isArray(problems)) return problems;
  throw error;
}

export interface CreatedHandler {
  handler: PackHandler;
  records: RecordLog;
}

/** Makes the handler; doesn't wait for it to be ready. */
export async function createHandler(options: StartOptions): Promise<CreatedHandler> {
  const pack = layPack(options.pack);
  const records = new RecordLog();
  try {
    const modules = await loadModules(pack.moduleRoot, options.lazy ?? false);
    const index: unknown = JSON.parse(readFileSync(pack.index, "utf8"));
    const handler = createPackHandler(index, modules, {
      ...handlerOptions(options),
      onRecord: (record) => records.add(record),
    });
    if (options.lazy) await handler.ready.catch(() => {});
    return { handler, records };
  } finally {
    pack.remove();
  }
}

/** The options of a handler that is started so. */
export function handlerOptions(options: StartOptions): PackHandlerOptions {
  const { envCheck, maxConcurrency, logLevel, logLevels } = options;
  return {
    token: options.token === null ? undefined : (options.token ?? TOKEN),
    env: options.env ?? {},
    envCheck,
    maxConcurrency,
    logLevel,
    logLevels,
  };
}

async function loadModules(root: string, lazy: boolean): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = {};
  for (const path of moduleFiles(root)) {
    const load = () => import(pathToFileURL(join(root, path)).href);
    modules[path] = lazy ? load : await load();
  }
  return modules;
}

export function serviceOver(handler: PackHandler, records: RecordLog): Service {
  return {
    records,
    async send(request) {
      const response = await handler(toRequest(request));
      return checkAnswer(request, {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      });
    },
    drain: () => void handler.drain(),
    async stop() {
      await handler.drain();
      const bad = records.all.flatMap((record) => recordProblems(JSON.stringify(record)));
      if (bad.length > 0) throw new Error(`records break §8: ${bad.join("; ")}`);
    },
  };
}

export function toRequest(request: CaseRequest): Request {
  const body = requestBody(request);
  const isStream = typeof body === "object" && !(body instanceof Uint8Array);
  const init: RequestInit & { duplex?: "half" } = {
    method: requestMethod(request),
    headers: requestHeaders(request),
    signal: request.signal ?? null,
  };
  if (body !== undefined) init.body = isStream ? toStream(body) : (body as BodyInit);
  if (isStream) init.duplex = "half";
  return new Request(`http://pack.test${request.path ?? "/v1/invoke"}`, init);
}

function toStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
