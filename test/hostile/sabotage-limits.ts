import type { RUNTIMES } from "./faults-service.ts";

type Runtime = (typeof RUNTIMES)[number];

interface Limit {
  ways: readonly string[];
  /** @default all */
  runtimes?: readonly Runtime[];
  reason: string;
}

const throws = (...holders: string[]) => holders.map((name) => `${name}: every method throws`);

/** What pack code can break after all. Even then no call is answered with a result that it doesn't have. */
const LIMITS: readonly Limit[] = [
  {
    ways: throws(
      "Array.prototype",
      "String.prototype",
      "RegExp.prototype",
      "Map.prototype",
      "Set.prototype",
      "the iterator of arrays",
      "the iterator of maps",
      "the iterator of sets",
    ),
    reason:
      "Node's HTTP server and streams, and the code that ajv generates call these methods, and so does all of the service: without them there is no language to write it in",
  },
  {
    ways: throws("Function.prototype"),
    runtimes: ["node20", "deno"],
    reason: "their HTTP servers and streams call these methods",
  },
  {
    ways: throws("the typed arrays"),
    runtimes: ["deno"],
    reason: "Deno's own modules read a body with them",
  },
  {
    ways: ["the items of Array.prototype have setters"],
    reason: "Array.prototype.push sets items, in the runtimes' own modules, too",
  },
  {
    ways: throws("Headers.prototype", "EventTarget.prototype"),
    runtimes: ["bun", "deno"],
    reason: "a request is the runtime's own object there, and these methods are the way to read it",
  },
  {
    ways: ["then on Object.prototype"],
    reason: "every object is a thenable then, a Response too: awaiting one calls it",
  },
  {
    ways: ["setters on Object.prototype for names of the runtimes' own"],
    runtimes: ["node20", "deno"],
    reason: "their timers, streams and requests assign to members of these names",
  },
  {
    ways: throws("Date.prototype"),
    runtimes: ["node20"],
    reason: "Node's HTTP server writes the header Date with toUTCString",
  },
  {
    ways: ["process.emit"],
    runtimes: ["node20", "deno"],
    reason: "it is how they tell signals and the exit",
  },
  {
    ways: throws("ReadableStream.prototype"),
    runtimes: ["deno"],
    reason: "a request's body is a stream there, and getReader the way to read it",
  },
  {
    ways: throws("Request.prototype"),
    runtimes: ["bun"],
    reason: "the request is Bun's own object, and arrayBuffer is the way to read its body",
  },
  {
    ways: ["version on Object.prototype"],
    reason:
      "every object has it then, a message's tool too: a call asks for a version that isn't there",
  },
  {
    ways: ["signal on Object.prototype"],
    reason:
      "Node's streams and every runtime's addEventListener read their options with what those inherit",
  },
  {
    ways: ["error on Object.prototype"],
    runtimes: ["node20"],
    reason: "Node's file functions read their result with what it inherits",
  },
  {
    ways: ["Error is every value's class"],
    reason: "instanceof asks the class: a log's fields are then taken for an error's",
  },
  {
    ways: ["listeners of the process removed"],
    reason: "without its listeners a signal ends the process as the runtime has it by default",
  },
];

/** Why a way works on a runtime; `undefined` where it doesn't. */
export function limitOf(runtime: Runtime, way: string): string | undefined {
  return LIMITS.find(
    ({ ways, runtimes }) => ways.includes(way) && (runtimes?.includes(runtime) ?? true),
  )?.reason;
}
