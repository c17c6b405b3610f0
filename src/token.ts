/** Whether a text can be a token: it must survive a header unchanged (contract §7). */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && /^[!-~]+$/.test(value);
}
