import type { CallScope } from "./call-scope.ts";
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

/** The context of a tool call: the message's own members and what the service adds (contract §4). */
export function handlerContext(
  ctx: CallContext,
  scope: CallScope,
  log: () => PackLog,
): HandlerContext {
  // Spread copies an own `__proto__` as the data it is; assigning it would change the prototype.
  const { secrets = {}, log: _, ...visible } = ctx;
  return Object.defineProperties(visible, {
    abortSignal: lazy("abortSignal", () => scope.signal, true),
    secrets: { value: secrets, enumerable: false, writable: true, configurable: true },
    log: lazy("log", log, false),
  }) as HandlerContext;
}

export function checkContext(scope: CallScope, log: () => PackLog): CheckContext {
  return Object.defineProperties(
    {},
    {
      abortSignal: lazy("abortSignal", () => scope.signal, true),
      log: lazy("log", log, false),
    },
  ) as CheckContext;
}

/** A member that is made when it is first read. Like a plain one, it can be replaced. */
function lazy(name: string, get: () => unknown, enumerable: boolean): PropertyDescriptor {
  return {
    get,
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, enumerable });
    },
    enumerable,
    configurable: true,
  };
}
