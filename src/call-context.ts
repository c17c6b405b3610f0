import { defineProperty } from "./captured.ts";
import type { CallFrame } from "./call.ts";
import type { CallContext } from "./protocol.ts";
import { BareObject } from "./json.ts";
import type { PackLog } from "./records.ts";

/** What a handler is called with beside its input. */
export interface HandlerContext extends CallContext {
  /** Aborts when the call's deadline passes or its caller goes away. */
  readonly abortSignal: AbortSignal;
  /** Not enumerable: no copy or print of a context shows it. `{}` when the message has none. */
  readonly secrets: Record<string, unknown>;
  /** Not enumerable. */
  readonly log: PackLog;
}

/** What a check is called with beside its config and trace. */
export interface CheckContext {
  readonly abortSignal: AbortSignal;
  /** Not enumerable. */
  readonly log: PackLog;
}

/** What the members that the service adds are made from, when they are first read. */
interface Source {
  frame: CallFrame;
  secrets: Record<string, unknown>;
}

/** The context of a tool call: the message's own members and what the service adds (contract §4). */
export function handlerContext(ctx: CallContext, frame: CallFrame): HandlerContext {
  // Spread copies an own `__proto__` as the data it is; assigning it would change the prototype.
  const { secrets = {}, log: _, ...context } = ctx;
  addMembers(context, { frame, secrets });
  return defineProperty(context, "secrets", SECRETS) as HandlerContext;
}

export function checkContext(frame: CallFrame): CheckContext {
  return addMembers({}, { frame, secrets: {} }) as CheckContext;
}

/** Adds what every context has. One by one, which costs less than `defineProperties`. */
function addMembers(context: object, source: Source): object {
  const descriptor = new BareObject() as PropertyDescriptor;
  descriptor.value = source;
  defineProperty(context, SOURCE, descriptor);
  defineProperty(context, "abortSignal", ABORT_SIGNAL);
  return defineProperty(context, "log", LOG);
}

/**
 * Where a context keeps its source, unseen by a copy or a print. With it the accessors are the same functions for every
 * context; new ones for each would make V8 lay out each anew, which cost more than all the rest of a call. Not a private
 * field, which a proxy of a context, or a copy of its descriptors, wouldn't have.
 */
const SOURCE = Symbol("source");

interface Context {
  readonly [SOURCE]: Source;
}

/** A member that is made when it is read. Like a plain one, it can be replaced. */
function made(
  name: string,
  enumerable: boolean,
  make: (source: Source) => unknown,
): PropertyDescriptor {
  // A descriptor is read with what it inherits: a `value` on Object.prototype would make it contradict itself.
  return {
    __proto__: null,
    get(this: Context) {
      return make(this[SOURCE]);
    },
    set(this: object, value: unknown) {
      defineProperty(this, name, { __proto__: null, value, writable: true, enumerable } as object);
    },
    enumerable,
    configurable: true,
  } as PropertyDescriptor;
}

const ABORT_SIGNAL = made("abortSignal", true, ({ frame }) => frame.scope.signal);
const LOG = made("log", false, ({ frame }) => frame.log());
const SECRETS = made("secrets", false, ({ secrets }) => secrets);
