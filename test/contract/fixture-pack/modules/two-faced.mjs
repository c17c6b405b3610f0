/** Gives a number first, and a text to who asks again. */
function turncoat() {
  let asked = 0;
  return () => (asked++ === 0 ? 1 : "text");
}

const hidden = (object, name, value) => Object.defineProperty(object, name, { value });

const values = {
  // The object keeps the schema, its JSON text doesn't.
  "hidden member": () => hidden({}, "a", 1),
  "member of undefined": () => ({ a: undefined }),
  "member of NaN": () => ({ a: Number.NaN }),
  "own toJSON": () => hidden({ a: 1 }, "toJSON", () => ({ a: "text" })),
  "array with toJSON": () => ({ a: 1, list: hidden([1], "toJSON", () => ["text"]) }),
  "array of a class with toJSON": () => {
    class List extends Array {
      toJSON() {
        return ["text"];
      }
    }
    return { a: 1, list: List.of(1) };
  },
  "array with a hole": () => ({ a: 1, list: Array(1) }),
  "array of undefined": () => ({ a: 1, list: [undefined] }),
  "boxed text in disguise": () =>
    Object.setPrototypeOf(Object.assign(new String(""), { a: 1 }), Object.prototype),
  "proxy of two faces": () => new Proxy({ a: 1 }, { get: () => "text" }),
  "nested proxy": () => ({
    a: 1,
    list: new Proxy([1], { get: (of, name) => (name === "0" ? "text" : of[name]) }),
  }),
  "inherited toJSON": () => Object.assign(Object.create({ toJSON: () => "text" }), { a: 1 }),
  "raw text": () => ({ a: JSON.rawJSON?.('"text"') ?? "text" }),
  // The text keeps the schema.
  "accessor that turns": () =>
    Object.defineProperty({}, "a", { get: turncoat(), enumerable: true }),
  "boxed number": () => ({ a: new Number(1) }),
  "own toJSON that mends": () => ({ toJSON: () => ({ a: 1 }) }),
  "proxy of a plain object": () => new Proxy({ a: 1 }, {}),
  "negative zero": () => ({ a: -0 }),
  shared: () => {
    const list = [1, 1];
    return { a: 1, list, again: list };
  },
  frozen: () => Object.freeze({ a: 1, list: Object.freeze([1]) }),
};

export default (input) => values[input.name]();
