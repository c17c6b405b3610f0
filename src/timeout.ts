import { min } from "./captured.ts";
import { MAX_TIMEOUT_MS } from "./protocol.ts";

/**
 * A `kindgi-timeout-ms` header in milliseconds: decimal digits that aren't all zero. Anything else means the default;
 * what a timer can't hold is clamped (contract §1).
 */
export function readTimeoutMs(header: string | null, defaultMs: number): number {
  if (header === null || !/^[0-9]+$/.test(header)) return defaultMs;
  const timeoutMs = Number(header);
  return timeoutMs === 0 ? defaultMs : min(timeoutMs, MAX_TIMEOUT_MS);
}
