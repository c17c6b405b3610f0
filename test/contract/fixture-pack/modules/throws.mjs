import { runInNewContext } from "node:vm";

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

class CodedError extends Error {
  name = "CodedError";
  code = "E_CODED";
}

const values = {
  error: () => new TypeError("wrong type"),
  "error of another realm": () => runInNewContext("new RangeError('from afar')"),
  "subclass of error": () => new CodedError("coded"),
  "long stack": () => Object.assign(new Error("deep"), { stack: "x".repeat(10_000_000) }),
  "hostile error": () =>
    Object.defineProperties(new Error("hidden"), {
      message: {
        get() {
          throw new Error("message");
        },
      },
      stack: {
        get() {
          throw new Error("stack");
        },
      },
    }),
  undefined: () => undefined,
  null: () => null,
  text: () => "a text",
  number: () => 42,
  boolean: () => false,
  object: () => ({ code: "E_PLAIN", details: [1, 2] }),
  array: () => [1, "two"],
  bigint: () => 10n,
  symbol: () => Symbol("thrown"),
  function: () => function thrown() {},
  cycle: () => {
    const circular = {};
    circular.self = circular;
    return circular;
  },
  "revoked proxy": revoked,
  "hostile object": () => ({
    toJSON() {
      throw new Error("toJSON");
    },
    toString() {
      throw new Error("toString");
    },
    [Symbol.toPrimitive]() {
      throw new Error("toPrimitive");
    },
  }),
  "huge object": () => ({ text: "x".repeat(2_000_000) }),
  "abort error": () => new DOMException("not asked for", "AbortError"),
};

export default async (input) => {
  if (!input.sync) await null;
  throw values[input.name]();
};

export function throwsSync(input) {
  throw values[input.name]();
}
