/** The ids of a caller's span, as log records carry them. */
export interface Trace {
  traceId: string;
  spanId: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * Reads a W3C `traceparent` header. Anything malformed is no trace. The service makes no spans of its own, so
 * the caller's span is the one its records belong to.
 */
export function parseTraceparent(header: string | null): Trace | undefined {
  if (header === null) return undefined;
  const match = TRACEPARENT.exec(header);
  if (!match) return undefined;
  const [, version, traceId = "", spanId = "", rest] = match;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId };
}
