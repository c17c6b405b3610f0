import { isExotic } from "../../adapters/is-exotic.ts";
import { NodeResponse } from "../../adapters/node-response.ts";
import { Admission } from "../../src/admission.ts";
import { decodeBody } from "../../src/body.ts";
import { runCall } from "../../src/call.ts";
import type { BoundCall, CallFrame } from "../../src/call.ts";
import { callIds } from "../../src/call-record.ts";
import { CallScope } from "../../src/call-scope.ts";
import { Failure } from "../../src/failure.ts";
import { encodeJson } from "../../src/json.ts";
import { parseMessage, resultMessage } from "../../src/message.ts";
import type { PackHandlerOptions, ResponseConstructor } from "../../src/options.ts";
import { bindPack } from "../../src/pack.ts";
import { createPackHandler } from "../../src/pack-handler.ts";
import { checkPackIndex } from "../../src/pack-index.ts";
import { isPlainData } from "../../src/plain-data.ts";
import { Recorder } from "../../src/records.ts";
import { resolveCall } from "../../src/resolve.ts";
import { admit } from "../../src/transport.ts";
import { createSchemaCompiler } from "../../src/validation.ts";

/** The call that goes through the stages. */
export interface StagedCall {
  index: unknown;
  modules: Readonly<Record<string, unknown>>;
  body: string;
  /** What the tool returns to it. */
  output: unknown;
}

/** A stage of a call by its name, run once on every invocation. */
export type Stages = ReadonlyMap<string, () => unknown>;

const TOKEN = "bench-token~!x9";
const URL = "http://127.0.0.1/v1/invoke";
const HEADERS = { "content-type": "application/json", "kindgi-pack-token": TOKEN };

/** Every stage that a call goes through, on its own, and the whole of them. */
export function createStages(staged: StagedCall): Stages {
  return new Map([...partStages(staged), ...handlerStages(staged)]);
}

function partStages({ index, modules, body, output }: StagedCall): [string, () => unknown][] {
  const gate = new Admission({ maxConcurrency: 32, missingEnv: [] });
  gate.settle("ready");
  const transport = { token: TOKEN, maxBodyBytes: 10_485_760, basePath: "", gate };
  const request = newRequest(body);
  const bytes = new TextEncoder().encode(body);
  const pack = bind(index, modules);
  const call = must(parseMessage(body));
  const bound = must(resolveCall(pack, call));
  if (bound.target !== "tool") throw new Error("the staged call must be a tool's");
  return [
    ["admit", () => admit(request, transport)],
    ["decodeBody", () => decodeBody(bytes)],
    ["parseMessage", () => parseMessage(body)],
    ["resolveCall", () => resolveCall(pack, call)],
    ["validateInput", () => bound.entry.validateInput(bound.call.input)],
    ["validateOutput", () => bound.entry.validateOutput(output)],
    ["call scope", () => newScope().close()],
    ["runCall, in a scope", () => runInScope(bound)],
    ["tell plain output", () => isPlainData(output, isExotic)],
    ["encode the answer", () => resultMessage("tool", output)],
    ["record", recordStage(request, call)],
  ];
}

/** From the call's end to the text of its record. */
function recordStage(request: Request, call: Parameters<typeof callIds>[1]): () => unknown {
  const subject = { target: "tool", id: call?.id ?? "" } as const;
  const finished = { ...subject, outcome: "ok", durationMs: 1 } as const;
  let text = "";
  const recorder = new Recorder({ onRecord: (record) => (text = encodeJson(record)) });
  return () => {
    recorder.call(finished, callIds(request.headers, call, subject));
    return text;
  };
}

function handlerStages({ index, modules, body }: StagedCall): [string, () => unknown][] {
  const bytes = new TextEncoder().encode(body);
  const read: PackHandlerOptions = {
    readBody: () => ({ body: Promise.resolve(bytes), discard() {} }),
    onDisconnect: () => () => {},
  };
  const fast = { ...read, Response: NodeResponse as unknown as ResponseConstructor };
  const handlerOf = (options: PackHandlerOptions) =>
    createPackHandler(index, modules, {
      token: TOKEN,
      onRecord: (record) => encodeJson(record),
      ...options,
    });
  const [web, given, node] = [handlerOf({}), handlerOf(read), handlerOf(fast)];
  // A body that is given, not read, leaves its request as it was.
  const request = newRequest(body);
  return [
    ["handler, body given, web Response", () => given(request)],
    ["handler, body given, the Node adapter's", () => node(request)],
    ["new Request", () => newRequest(body)],
    ["new Request, handler, web Response", () => web(newRequest(body))],
  ];
}

function newRequest(body: string): Request {
  return new Request(URL, { method: "POST", headers: HEADERS, body });
}

function newScope(): CallScope {
  const now = () => performance.now();
  return new CallScope({ now, startedAt: now(), timeoutMs: 120_000 });
}

async function runInScope(bound: BoundCall): Promise<unknown> {
  const scope = newScope();
  const frame: CallFrame = { scope, log: noLog };
  try {
    return must(await scope.race(runCall(bound, frame, isExotic)));
  } finally {
    scope.close();
  }
}

function noLog(): never {
  throw new Error("the staged tool doesn't log");
}

function bind(value: unknown, modules: Readonly<Record<string, unknown>>) {
  const checked = checkPackIndex(value);
  if ("problems" in checked) throw new Error(checked.problems.join("\n"));
  const problems: string[] = [];
  const namespaces = new Map(Object.entries(modules));
  const pack = bindPack(checked.index, namespaces, createSchemaCompiler(), problems);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return pack;
}

function must<T>(value: T | Failure): T {
  if (value instanceof Failure) throw new Error(value.message);
  return value;
}
