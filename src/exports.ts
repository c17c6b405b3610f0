import { apply } from "./captured.ts";

/** A function of a pack's module, with the object it is a method of. */
export interface PackFunction {
  call: (...args: unknown[]) => unknown;
  /** The module's own model of its input or config, where it carries one. */
  model: Model | undefined;
}

/** Judges a value: an issue list, or the value as the pack's code shall get it. May be asynchronous, may throw. */
export type Model = (value: unknown) => unknown;

type AnyFunction = (...args: unknown[]) => unknown;

/** An object that may hold what is looked for, nearest first. */
type Holders = readonly object[];

interface Shape {
  /** Exports that may hold the function, in the order in which they are tried. */
  exports: readonly string[];
  /** Members of such an export, when it is an object. */
  members: readonly string[];
  /** Members that may hold the model. */
  models: readonly string[];
}

const TOOL: Shape = {
  exports: ["default", "handler", "run"],
  members: ["handler", "run"],
  models: ["inputZod", "input", "inputSchema"],
};

const CHECK: Shape = {
  exports: ["evaluate", "default", "check"],
  members: ["evaluate", "check"],
  models: ["configZod", "config", "configSchema"],
};

/** Finds a tool's handler in what its module exports (contract §4). */
export function findHandler(module: unknown): PackFunction | undefined {
  return isFunction(module) ? packFunction(module, [module], TOOL) : find(module, TOOL);
}

/** Finds a check's `evaluate` in what its module exports (contract §4). */
export function findEvaluate(module: unknown): PackFunction | undefined {
  return find(module, CHECK);
}

function find(module: unknown, shape: Shape): PackFunction | undefined {
  const namespace = openResult(module);
  if (!isHolder(namespace)) return undefined;
  for (const name of shape.exports) {
    const found = findIn(read(namespace, name), [namespace], shape, true);
    if (found) return found;
  }
  return undefined;
}

/** Looks into one export: a function, an object that holds one, or CommonJS's `default` inside a `default`. */
function findIn(
  exported: unknown,
  holders: Holders,
  shape: Shape,
  nested: boolean,
): PackFunction | undefined {
  const value = openResult(exported);
  if (isFunction(value)) return packFunction(value, holders, shape);
  if (!isHolder(value)) return undefined;
  const inner = [value, ...holders];
  for (const name of shape.members) {
    const member = openResult(read(value, name));
    if (isFunction(member)) return packFunction(member, inner, shape);
    if (nested && isHolder(member)) {
      const found = findIn(member, inner, shape, false);
      if (found) return found;
    }
  }
  return nested ? findIn(read(value, "default"), inner, shape, false) : undefined;
}

function packFunction(fn: AnyFunction, holders: Holders, shape: Shape): PackFunction {
  const owner = holders[0];
  return {
    call: (...args) => apply(fn, owner, args),
    model: findModel([fn, ...holders], shape.models),
  };
}

/** A Result wrapper `{ kind: "ok", value }` is opened. */
export function openResult(value: unknown): unknown {
  if (
    isHolder(value) &&
    typeof value !== "function" &&
    read(value, "kind") === "ok" &&
    "value" in value
  ) {
    return read(value, "value");
  }
  return value;
}

function findModel(holders: Holders, names: readonly string[]): Model | undefined {
  for (const holder of holders) {
    for (const name of names) {
      const model = modelOf(read(holder, name));
      if (model) return model;
    }
  }
  return undefined;
}

/** Any Standard Schema, or a Zod schema from before Zod was one. */
function modelOf(value: unknown): Model | undefined {
  if (!isHolder(value)) return undefined;
  const standard = read(value, "~standard");
  const validate = isHolder(standard) ? read(standard, "validate") : undefined;
  if (isFunction(validate)) return (input) => apply(validate, standard, [input]);
  const safeParse = read(value, "safeParseAsync");
  if (!isFunction(safeParse)) return undefined;
  return async (input) => zodResult((await apply(safeParse, value, [input])) as ZodResult);
}

interface ZodResult {
  success: boolean;
  data?: unknown;
  error?: { issues: unknown };
}

function zodResult(result: ZodResult): unknown {
  return result.success ? { value: result.data } : { issues: result.error?.issues };
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}

function isHolder(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** An export that throws when it is read (a `let` not yet set, a getter) is not there. */
function read(holder: object, name: string): unknown {
  try {
    return (holder as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
