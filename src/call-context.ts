import { defineProperties, defineProperty, getPrototypeOf } from "./captured.ts";
import type { CallFrame } from "./call.ts";
import type { CallContext } from "./protocol.ts";
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
  const { secrets = {}, log: _, ...visible } = ctx;
  const context = defineProperties(visible, HANDLER_MEMBERS);
  return new Carrier(context, { frame, secrets }) as unknown as HandlerContext;
}

export function checkContext(frame: CallFrame): CheckContext {
  const context = defineProperties({}, CHECK_MEMBERS);
  return new Carrier(context, { frame, secrets: {} }) as unknown as CheckContext;
}

/** A class whose instance is the object it is given, so that a subclass puts its private field onto that. */
// oxlint-disable-next-line typescript/no-extraneous-class -- What its constructor returns is what it is for.
class Given {
  constructor(object: object) {
    return object;
  }
}

/**
 * Puts a context's source onto it, out of its owner's sight. With it the accessors are the same functions for every
 * context; new ones for each would make V8 lay out each anew, which cost more than all the rest of a call.
 */
class Carrier extends Given {
  readonly #source: Source;

  constructor(context: object, source: Source) {
    super(context);
    this.#source = source;
  }

  /** The source of a context, or of an object that inherits from one. */
  static sourceOf(context: object): Source {
    let holder = context;
    while (!(#source in holder)) holder = getPrototypeOf(holder) as object;
    return holder.#source;
  }
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
    get(this: object) {
      return make(Carrier.sourceOf(this));
    },
    set(this: object, value: unknown) {
      defineProperty(this, name, { __proto__: null, value, writable: true, enumerable } as object);
    },
    enumerable,
    configurable: true,
  } as PropertyDescriptor;
}

const CHECK_MEMBERS = {
  abortSignal: made("abortSignal", true, ({ frame }) => frame.scope.signal),
  log: made("log", false, ({ frame }) => frame.log()),
};

const HANDLER_MEMBERS = {
  ...CHECK_MEMBERS,
  secrets: made("secrets", false, ({ secrets }) => secrets),
};
