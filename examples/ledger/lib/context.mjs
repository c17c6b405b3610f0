/**
 * What this pack uses of the context a tool is called with.
 *
 * @typedef {object} CallContext
 * @property {string} tenantId
 * @property {AbortSignal} abortSignal
 * @property {string} [idempotencyKey]
 * @property {Record<string, unknown>} [env] values the caller resolved for this call
 * @property {{ info(message: string, fields?: object): void }} [log]
 */

/**
 * A value of the process's environment; empty counts as unset, and so does a runtime without one.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function processEnv(name) {
  return globalThis.process?.env?.[name] || undefined;
}

/**
 * A value that was resolved for this call, else the process's own.
 *
 * @param {CallContext} ctx
 * @param {string} name
 * @returns {string | undefined}
 */
export function callEnv(ctx, name) {
  const resolved = ctx.env?.[name];
  return typeof resolved === "string" && resolved !== "" ? resolved : processEnv(name);
}
