import type { ProcessTarget } from "../contract/target.ts";

/** What a runtime does in its own way with inputs of a kind, where nothing of ours can change it. */
export interface Difference {
  runtime: ProcessTarget["runtime"];
  kind: string;
  /** The inputs' names. Each of them must differ, or the entry is out of date. */
  inputs: RegExp;
  /** What comes instead, any of these; `ok` is the answer to the call. */
  outcomes: readonly string[];
  /** Why, and why no harm comes of it. */
  reason: string;
  /** Where the runtime says so itself. */
  link: string;
  /** The first call has run, whether or not its answer came; that it has is what differs. */
  losesAnswers?: true;
}

const BUN_PARSER = "https://github.com/oven-sh/bun/blob/main/packages/bun-uws/src/HttpParser.h";
const BUN_CONTEXT = "https://github.com/oven-sh/bun/blob/main/packages/bun-uws/src/HttpContext.h";
const HYPER = "https://github.com/hyperium/hyper/blob/v1.6.0";
const HTTPARSE = "https://docs.rs/httparse/latest/httparse/struct.Request.html#method.parse";
const RFC_LF = "https://www.rfc-editor.org/rfc/rfc9112#section-2.2";

const BUN_PATHS = {
  runtime: "bun",
  kind: "target",
  outcomes: ["ok"],
  reason:
    "A request's URL is a parsed one there, and the URL standard resolves dot segments; the token is asked for after that.",
  link: "https://url.spec.whatwg.org/#path-state",
} as const;

const DENO_LINES = {
  runtime: "deno",
  reason:
    "An LF alone ends a line there, as RFC 9112 allows; what stands behind it is read as such.",
  link: RFC_LF,
} as const;

export const DIFFERENCES: readonly Difference[] = [
  {
    runtime: "node",
    kind: "version",
    inputs: /^"(HTTP\/0\.9|HTTP\/2\.0|RTSP\/1\.0)"$/,
    outcomes: ["ok"],
    reason: "llhttp reads these versions and protocols and hands the request on as any other.",
    link: "https://github.com/nodejs/llhttp/blob/main/src/llhttp/http.ts",
  },
  {
    runtime: "bun",
    kind: "pipelined",
    inputs: /^a slow call, /,
    outcomes: [""],
    reason:
      "A request that arrives while the answer to another is pending closes the connection, so that no answers mix; the caller sees no answer, and the call is cancelled.",
    link: BUN_CONTEXT,
    losesAnswers: true,
  },
  {
    runtime: "bun",
    kind: "broken in one packet",
    inputs: /^"(?!GET").* behind a slow call$/,
    outcomes: ["refused"],
    reason:
      "What can't be read is refused at once, ahead of a pending answer, and the connection closed: the caller sees a 400 and the call is cancelled.",
    link: BUN_CONTEXT,
    losesAnswers: true,
  },
  {
    runtime: "bun",
    kind: "chunks cut, then closed",
    inputs: /^[12] bytes short$/,
    outcomes: [""],
    reason: "A body ends with its last chunk there: the empty line behind it isn't waited for.",
    link: BUN_PARSER,
    losesAnswers: true,
  },
  {
    runtime: "bun",
    kind: "chunks cut, then half-closed",
    inputs: /^[12] bytes short$/,
    outcomes: ["ok", "cancelled", ""],
    reason: "A body ends with its last chunk there: the empty line behind it isn't waited for.",
    link: BUN_PARSER,
    losesAnswers: true,
  },
  {
    runtime: "bun",
    kind: "trailer",
    inputs: /^(?!a type|the token|3,000|of 1 MB)/,
    outcomes: ["ok refused"],
    reason:
      "A body ends with its last chunk there, and any trailer is refused as a broken request.",
    link: BUN_PARSER,
  },
  {
    runtime: "bun",
    kind: "trailer",
    inputs: /^(3,000|of 1 MB)$/,
    outcomes: ["ok refused", "ok", ""],
    reason:
      "As with every trailer; the connection is closed while more of it comes, and that may overtake the answers.",
    link: BUN_PARSER,
    losesAnswers: true,
  },
  {
    runtime: "bun",
    kind: "trailer",
    inputs: /^the token$/,
    outcomes: ["401 refused"],
    reason: "As with every trailer: what follows the last chunk is refused.",
    link: BUN_PARSER,
  },
  {
    runtime: "bun",
    kind: "trailer",
    inputs: /^a type$/,
    outcomes: ["415 refused"],
    reason: "As with every trailer: what follows the last chunk is refused.",
    link: BUN_PARSER,
  },
  {
    runtime: "bun",
    kind: "expectation",
    inputs: /^on HTTP\/1\.0$/,
    outcomes: ["100 ok"],
    reason: "An interim answer is sent whatever the caller's version.",
    link: BUN_CONTEXT,
  },
  { ...BUN_PATHS, inputs: /^"\/(\.|\.\.|x\/\.\.|%2e|%2E%2e|\.%2e|\\+\.\.)\/v1\/invoke"$/ },
  { ...BUN_PATHS, inputs: /^"\/v1\/(\.|x\/\.\.|%2e|\\+\.\.)\/invoke"$/ },
  { ...BUN_PATHS, inputs: /^"\/healthz\/(\.\.|%2E%2e|\.%2e)\/v1\/invoke"$/ },
  { ...BUN_PATHS, inputs: /^"\w+:\/\/[\w:@.]+\/v1\/\.\.\/v1\/invoke"$/ },
  {
    runtime: "deno",
    kind: "expectation",
    inputs: /^on HTTP\/1\.0$/,
    outcomes: ["100 ok"],
    reason: "An interim answer is sent whatever the caller's version.",
    link: `${HYPER}/src/proto/h1/role.rs`,
  },
  {
    runtime: "deno",
    kind: "chunk size",
    inputs: /^" a6"$/,
    outcomes: ["ok"],
    reason: "Spaces around a chunk's size are skipped; the size is the same one.",
    link: `${HYPER}/src/proto/h1/decode.rs`,
  },
  {
    runtime: "deno",
    kind: "trailer",
    inputs: /^of 1 MB$/,
    outcomes: ["deadline-exceeded"],
    reason:
      "Trailers over its limit stall the body instead of failing it; the call's own deadline ends that.",
    link: `${HYPER}/src/proto/h1/decode.rs`,
  },
  {
    ...DENO_LINES,
    kind: "broken line",
    inputs: /^"x: a\\nkindgi/,
    outcomes: ["401"],
    link: HTTPARSE,
  },
  {
    ...DENO_LINES,
    kind: "broken line",
    inputs: /^"x: a\\n\\ny/,
    outcomes: ["malformed-message"],
  },
  { ...DENO_LINES, kind: "broken line", inputs: /^all lines end in LF$/, outcomes: ["ok"] },
  { ...DENO_LINES, kind: "byte in the token", inputs: /^0a after$/, outcomes: ["415 refused"] },
  {
    ...DENO_LINES,
    kind: "byte in the type",
    inputs: /^0a after$/,
    outcomes: ["malformed-message refused"],
  },
  {
    runtime: "deno",
    kind: "not HTTP/1",
    inputs: /^HTTP\/2 preface$/,
    outcomes: ["HTTP/2"],
    reason: "HTTP/2 is served on the same port to callers who begin with its preface.",
    link: "https://docs.deno.com/api/deno/~/Deno.serve",
  },
];
