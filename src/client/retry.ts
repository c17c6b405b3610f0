const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;

/** A `Retry-After` header, seconds or a date, in milliseconds from now; `undefined` when it is neither. */
export function readRetryAfterMs(header: string | null, wallClockMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallClockMs);
}

/**
 * How long to wait before a refused call is tried again. A service that asks for no wait gets one that doubles with
 * each refusal, a random half of it left out, so that callers refused together don't come back together.
 *
 * @param refusals how often the call has been refused before
 * @param random from 0 to below 1
 */
export function retryDelayMs(
  retryAfterMs: number | undefined,
  refusals: number,
  random: number,
): number {
  if (retryAfterMs) return retryAfterMs;
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** refusals, MAX_BACKOFF_MS);
  return backoffMs * (1 - random / 2);
}
