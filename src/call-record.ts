import type { Subject } from "./failure.ts";
import type { Call } from "./message.ts";
import { HEADERS } from "./protocol.ts";
import type { RecordIds } from "./records.ts";
import { textsOf } from "./redact.ts";
import { parseTraceparent } from "./trace.ts";

/** The ids that name a call in records: the message's own, else the headers' (contract §1). */
export function callIds(
  headers: Headers,
  call: Call | undefined,
  subject: Subject | undefined,
): RecordIds {
  const ctx = call?.target === "tool" ? call.ctx : undefined;
  const trace = parseTraceparent(headers.get(HEADERS.traceparent));
  return {
    traceId: trace?.traceId,
    spanId: trace?.spanId,
    requestId: idOf(ctx?.requestId) ?? idOf(headers.get(HEADERS.requestId)),
    tenantId: idOf(ctx?.tenantId),
    projectId: idOf(ctx?.projectId),
    orgId: idOf(ctx?.orgId),
    runId: idOf(ctx?.runId) ?? idOf(headers.get(HEADERS.runId)),
    toolId: subject?.target === "tool" ? subject.id : undefined,
    checkId: subject?.target === "check" ? subject.id : undefined,
  };
}

function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What a call brought along that must be in none of its records. */
export function callSecrets(call: Call): readonly string[] {
  return call.target === "tool" ? textsOf(call.ctx.secrets, call.ctx.env) : [];
}
