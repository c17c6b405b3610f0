import { inspect } from "node:util";

/** Tells what its context looks like from within. */
export default (_input, ctx) => ({
  keys: Object.keys(ctx),
  json: JSON.stringify({ ...ctx, abortSignal: undefined }),
  printed: inspect(ctx),
  secrets: ctx.secrets === undefined ? "absent" : Object.keys(ctx.secrets),
  secretIsThere: ctx.secrets?.API_KEY === "secret-value-1",
  secretsEnumerable: Object.prototype.propertyIsEnumerable.call(ctx, "secrets"),
  logEnumerable: Object.prototype.propertyIsEnumerable.call(ctx, "log"),
  signal: ctx.abortSignal instanceof AbortSignal,
  log: ["error", "warn", "info", "debug", "trace", "child"].filter(
    (name) => typeof ctx.log[name] === "function",
  ),
  projectId: ctx.projectId,
  orgId: ctx.orgId,
  settings: ctx.settings,
  idempotencyKey: ctx.idempotencyKey,
  unheardOf: ctx.unheardOf,
  env: ctx.env,
  config: ctx.config,
});
