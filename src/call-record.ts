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
  // Assignments to it must not meet a setter that pack code put onto Object.prototype.
  const ids = { __proto__: null, ...trace } as RecordIds;
  setId(ids, "requestId", ctx?.requestId, headers.get(HEADERS.requestId));
  setId(ids, "tenantId", ctx?.tenantId);
  setId(ids, "projectId", ctx?.projectId);
  setId(ids, "orgId", ctx?.orgId);
  setId(ids, "runId", ctx?.runId, headers.get(HEADERS.runId));
  if (subject) ids[subject.target === "tool" ? "toolId" : "checkId"] = subject.id;
  return ids;
}

function setId(ids: RecordIds, name: keyof RecordIds, ...candidates: unknown[]): void {
  for (const id of candidates) {
    if (typeof id !== "string" || id === "") continue;
    ids[name] = id;
    return;
  }
}

/** What a call brought along that must be in none of its records. */
export function callSecrets(call: Call): string[] {
  return call.target === "tool" ? [call.ctx.secrets, call.ctx.env].flatMap(textsOf) : [];
}
