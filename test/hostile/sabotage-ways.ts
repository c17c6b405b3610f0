const THROW = `() => { throw new Error("sabotage"); }`;

/** Code that replaces every method of what an expression stands for. `replacement` is made of `original`. */
function replaceAll(holder: string, replacement: string): string {
  return `const holder = ${holder}, { apply, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
    const names = ownKeys(holder), found = [];
    for (let i = 0; i < names.length; i++) {
      const descriptor = getOwnPropertyDescriptor(holder, names[i]);
      if (typeof descriptor.value === "function" && names[i] !== "constructor" &&
        (descriptor.configurable || descriptor.writable))
        found[found.length] = [names[i], descriptor];
    }
    for (let i = 0; i < found.length; i++) {
      const name = found[i][0], descriptor = found[i][1], original = descriptor.value;
      descriptor.value = ${replacement};
      defineProperty(holder, name, descriptor);
    }`;
}

const everyMethodThrows = (holder: string) => replaceAll(holder, THROW);

/** What a polyfill or an instrumentation does: another function, which does its work. */
const everyMethodWrapped = (holder: string) =>
  replaceAll(holder, "function (...args) { return apply(original, this, args); }");

function replaceGlobals(names: readonly string[], replacement: string): string {
  return `for (const name of ${JSON.stringify(names)}) globalThis[name] = ${replacement};`;
}

/** Names that the service's own records, messages and objects use. */
const NAMES = [
  "time level severity subsystem message code outcome output result issues subject event kind target durationMs cause",
  "status headers body details requestId tenantId runId toolId traceId secrets log path handler scope valid input v name",
  "stack params keyword instancePath schemaPath",
].flatMap((line) => line.split(" "));

const setter = (name: string) =>
  `Object.defineProperty(Object.prototype, ${JSON.stringify(name)},
    { __proto__: null, set() { throw new Error("sabotage"); }, configurable: true });`;

const onObjects = (name: string, value: string) =>
  `Object.defineProperty(Object.prototype, ${JSON.stringify(name)},
    { __proto__: null, value: ${value}, writable: true, enumerable: true, configurable: true });`;

const HOLDERS: Readonly<Record<string, string>> = {
  Array: "Array",
  Object: "Object",
  Number: "Number",
  String: "String",
  Math: "Math",
  Date: "Date",
  "Date.prototype": "Date.prototype",
  JSON: "JSON",
  Reflect: "Reflect",
  Promise: "Promise",
  "Promise.prototype": "Promise.prototype",
  Error: "Error",
  "Array.prototype": "Array.prototype",
  "String.prototype": "String.prototype",
  "RegExp.prototype": "RegExp.prototype",
  "Map.prototype": "Map.prototype",
  "Set.prototype": "Set.prototype",
  "WeakMap.prototype": "WeakMap.prototype",
  "Function.prototype": "Function.prototype",
  "the iterator of arrays": "Object.getPrototypeOf([][Symbol.iterator]())",
  "the iterator of maps": "Object.getPrototypeOf(new Map().values())",
  "the iterator of sets": "Object.getPrototypeOf(new Set().values())",
  "Headers.prototype": "Headers.prototype",
  "Request.prototype": "Request.prototype",
  "Response.prototype": "Response.prototype",
  "ReadableStream.prototype": "ReadableStream.prototype",
  "TextEncoder.prototype": "TextEncoder.prototype",
  "TextDecoder.prototype": "TextDecoder.prototype",
  "AbortController.prototype": "AbortController.prototype",
  "EventTarget.prototype": "EventTarget.prototype",
  "the typed arrays": "Object.getPrototypeOf(Uint8Array.prototype)",
  performance: "Object.getPrototypeOf(performance)",
  console: "console",
};

/** What is wrapped in one process: all that code of any size brings along. */
const WRAPPED = Object.keys(HOLDERS).filter((name) => !["performance", "console"].includes(name));

/** What pack code does to the realm it shares with the service, by what it replaces. */
export const WAYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(HOLDERS).map(([name, holder]) => [
      `${name}: every method throws`,
      everyMethodThrows(holder),
    ]),
  ),
  "every method of these wrapped, as by a polyfill": WRAPPED.map(
    (name) => `{ ${everyMethodWrapped(HOLDERS[name] as string)} }`,
  ).join("\n"),
  "JSON.parse and JSON.stringify return something else": `JSON.parse = JSON.stringify = () => "sabotage";`,
  "Promise.prototype.then and catch do nothing": `Promise.prototype.then = Promise.prototype.catch = function () { return this; };`,
  "Object.keys, entries and values return something else": `Object.keys = Object.entries = Object.values = () => ["sabotage"];`,
  "Array.isArray is always false": "Array.isArray = () => false;",
  "toJSON of every object": `Object.prototype.toJSON = () => "sabotage";`,
  "toJSON of every built-in": `for (const type of [Array, String, Number, Boolean, BigInt, Date, Error, Map])
    type.prototype.toJSON = () => "sabotage";`,
  "toString and valueOf": `for (const type of [Array, String, Number, Boolean, Function, RegExp])
    type.prototype.toString = type.prototype.valueOf = () => "sabotage";`,
  "setters on Object.prototype": NAMES.map(setter).join("\n"),
  "get, set and value on Object.prototype": `const { defineProperty } = Object;
    for (const name of ["get", "set", "value", "enumerable", "writable"])
      defineProperty(Object.prototype, name, { __proto__: null, value: () => "sabotage", writable: true, configurable: true });`,
  "enumerable members on every prototype": `for (const type of [Object, Array, String, Function, Promise])
    type.prototype.added = "sabotage";`,
  "every prototype frozen": `for (const type of [Object, Array, String, Promise, Function, Map, Set, Error, RegExp, Date])
    Object.freeze(Object.freeze(type).prototype);`,
  "timers and microtasks": replaceGlobals(
    ["setTimeout", "clearTimeout", "setInterval", "setImmediate", "queueMicrotask"],
    THROW,
  ),
  "functions of the language and the web": replaceGlobals(
    ["structuredClone", "fetch", "atob", "btoa", "parseInt", "isNaN", "isFinite", "encodeURI"],
    THROW,
  ),
  "classes of the web": replaceGlobals(
    [
      "Response Request Headers URL AbortController AbortSignal TextEncoder TextDecoder",
      "ReadableStream DOMException Event EventTarget",
    ].flatMap((line) => line.split(" ")),
    `class { constructor() { throw new Error("sabotage"); } }`,
  ),
  "namespaces and Proxy": replaceGlobals(
    ["JSON", "Math", "Reflect", "Atomics", "Proxy", "console"],
    "undefined",
  ),
  "process.env": "process.env = {};",
  "process.stderr.write": `process.stderr.write = ${THROW};`,
  "process.exit": `process.exit = ${THROW};`,
  "process.on and process.once": `process.on = process.once = ${THROW};`,
  "process.emit": `process.emit = ${THROW};`,
  "Error.prepareStackTrace": `Error.prepareStackTrace = ${THROW};`,
  "Error.captureStackTrace and stackTraceLimit": `Error.captureStackTrace = ${THROW}; Error.stackTraceLimit = 0;`,
  "then on Object.prototype": onObjects("then", `(resolve) => resolve("sabotage")`),
  "setters on Object.prototype for names of the runtimes' own": ["id", "bytes", "connection"]
    .map(setter)
    .join("\n"),
  "version on Object.prototype": onObjects("version", `"sabotage"`),
  "signal on Object.prototype": onObjects("signal", `"sabotage"`),
  "error on Object.prototype": onObjects("error", `"sabotage"`),
  "the items of Array.prototype have setters": `for (const name of [0, 1, 2, 3])
    Object.defineProperty(Array.prototype, name, { set() { throw new Error("sabotage"); }, configurable: true });`,
  "Error is every value's class": `Object.defineProperty(Error, Symbol.hasInstance, { value: () => true });`,
  "listeners of the process removed": "process.removeAllListeners();",
};
