const circular = { name: "circle" };
circular.self = circular;

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

let deep = [];
for (let i = 0; i < 200_000; i++) deep = [deep];

const values = {
  bigint: () => 1n,
  "nested bigint": () => ({ n: [1n] }),
  cycle: () => circular,
  function: () => () => 1,
  symbol: () => Symbol("s"),
  undefined: () => undefined,
  "throwing getter": () => ({
    get broken() {
      throw new Error("getter");
    },
  }),
  "throwing toJSON": () => ({
    toJSON() {
      throw new Error("toJSON");
    },
  }),
  "toJSON of undefined": () => ({ toJSON: () => undefined }),
  "revoked proxy": revoked,
  "nested revoked proxy": () => ({ inner: revoked() }),
  "throwing proxy": () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("trap");
        },
      },
    ),
  "too deep": () => deep,
  date: () => new Date(0),
  null: () => null,
  "class instance": () =>
    new (class Point {
      x = 1;
      #hidden = 2;
    })(),
  map: () => new Map([["a", 1]]),
  nan: () => Number.NaN,
  "member of undefined": () => ({ kept: 1, dropped: undefined }),
  "null prototype": () => Object.assign(Object.create(null), { a: 1 }),
  "resolves twice": () => ({
    then(resolve) {
      resolve({ first: true });
      resolve({ second: true });
    },
  }),
  "resolves, then throws": () => ({
    then(resolve) {
      resolve({ first: true });
      throw new Error("after");
    },
  }),
  "throwing then": () => ({
    get then() {
      throw new Error("then");
    },
  }),
};

export default (input) => values[input.name]();
