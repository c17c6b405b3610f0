import { json } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { unique } from "./case.ts";
import type { CaseRequest, Service } from "./target.ts";

export interface ToolMessage {
  v: 2;
  kind: "invoke";
  tool: { id: string; version?: string };
  input: unknown;
  ctx: { tenantId: string; runId: string; requestId: string; [member: string]: unknown };
}

export interface CheckMessage {
  v: 2;
  kind: "check-invoke";
  check: { id: string };
  config: object;
  trace: unknown;
}

/** Asks for a tool; its `requestId` is its own. */
export function invoke(id: string, input: unknown = {}, ctx: object = {}): ToolMessage {
  return {
    v: 2,
    kind: "invoke",
    tool: { id },
    input,
    ctx: { tenantId: "tenant-1", runId: "run-1", requestId: unique("call"), ...ctx },
  };
}

export function checkInvoke(id: string, config: object = {}, trace: unknown = {}): CheckMessage {
  return { v: 2, kind: "check-invoke", check: { id }, config, trace };
}

/** Calls a tool. */
export function callTool(
  service: Service,
  id: string,
  input: unknown = {},
  request: CaseRequest & { ctx?: object } = {},
): Promise<Answer> {
  const { ctx, ...rest } = request;
  return service.send({ body: invoke(id, input, ctx), ...rest });
}

export function callCheck(
  service: Service,
  id: string,
  config: object = {},
  trace: unknown = {},
): Promise<Answer> {
  return service.send({ body: checkInvoke(id, config, trace) });
}

/** A call in flight that has reached the fixture pack's `hold` tool. */
export interface HeldCall {
  requestId: string;
  answer: Promise<Answer>;
  /** Closes the caller's connection. */
  hangUp(): void;
}

/** Starts a call of `hold` and waits until its handler runs. */
export async function hold(
  service: Service,
  input: { frees?: string } = {},
  request: Pick<CaseRequest, "closes"> = {},
): Promise<HeldCall> {
  const caller = new AbortController();
  const message = invoke("hold", input);
  const { requestId } = message.ctx;
  const answer = service.send({ ...request, body: message, signal: caller.signal });
  answer.catch(() => {});
  await service.records.logged(requestId, "entered");
  return { requestId, answer, hangUp: () => caller.abort() };
}

/** A held call, and a way to let it go that needs no further call. */
export async function holdWithRelease(service: Service): Promise<HeldCall & { finish(): void }> {
  const held = await hold(service);
  const releasing = await hold(service, { frees: held.requestId });
  return { ...held, finish: releasing.hangUp };
}

/** Lets a held call go on: its handler returns. */
export async function release(service: Service, call: HeldCall): Promise<void> {
  await callTool(service, "release", { requestId: call.requestId });
}

/** Sends calls until one is refused: an upload has its slot when its headers have arrived, and no event tells. */
export async function untilOverloaded(service: Service): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    const answer = await callTool(service, "echo");
    if (answer.status === 503 && json(answer).error === "overloaded") return;
  }
  throw new Error("no call was refused as overloaded");
}
