/** What a target can't do: its case runs as an expected failure. */
export interface Gap {
  target: string;
  /** The case's id. */
  case: string;
  reason: string;
  /** Where the runtime says so itself. */
  link: string;
}

const WITHOUT_HOST = ["1-http10-healthz", "1-http10-readyz", "1-http10-invoke", "1-http10-unknown"];
const SLASHES = ["/", "/v1/", "/v1/invoke/", "/v1/info/", "/healthz/"].map(
  (path) => `1-404-${path}`,
);
const TYPE_TWICE = ["1-twice-type", "1-twice-type-other"];

const EDGE_TARGETS = ["edge-workerd", "edge-node", "edge-bun", "edge-deno"];

const edgeGaps: readonly Omit<Gap, "target">[] = [
  ...["1-503-draining", "1-503-draining-first", "7-levels", "7-drain-grace"].map((id) => ({
    case: id,
    reason: "no platform tells a worker that it is about to end, so it never drains",
    link: "https://developers.cloudflare.com/workers/reference/how-workers-works/",
  })),
  {
    case: "2-throws-error",
    reason: "a stack names the bundle, which its modules' files are part of",
    link: "https://esbuild.github.io/api/#bundle",
  },
  {
    case: "7-all-at-once",
    reason: "compiling runs no pack code: an import that throws is met when the worker starts",
    link: "https://esbuild.github.io/api/#build",
  },
];

const gaps: readonly Gap[] = [
  ...gapsOfKind(
    ["hono"],
    WITHOUT_HOST,
    "@hono/node-server refuses a request without a Host by itself",
    "https://github.com/honojs/node-server/issues/161",
  ),
  ...gapsOfKind(
    ["elysia"],
    WITHOUT_HOST,
    "Bun gives a request without a Host a relative URL, and Elysia finds no path in it",
    "https://github.com/oven-sh/bun/issues/33721",
  ),
  ...gapsOfKind(
    ["hattip", "express-hattip"],
    TYPE_TWICE,
    "Hattip takes Node's joined headers, which hold the first content type only",
    "https://nodejs.org/api/http.html#messageheaders",
  ),
  ...gapsOfKind(
    ["next"],
    SLASHES,
    "Next.js sends a path with a slash at its end to the one without",
    "https://nextjs.org/docs/app/api-reference/config/next-config-js/trailingSlash",
  ),
  ...gapsOfKind(
    ["lambda"],
    ["6-disconnect", "6-disconnect-close", "6-cancelled-late", "1-503-overloaded", "6-default-cap"],
    "a function is not told that its caller has gone",
    "https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html",
  ),
  ...gapsOfKind(
    ["lambda"],
    ["6-slot-before-body", "6-stalled-body"],
    "a function is called when the whole body is there",
    "https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html",
  ),
  ...gapsOfKind(
    ["lambda"],
    ["1-413-limit", "1-413-over", "1-413-frees-slot"],
    "an event is at most 6 MB, and Lambda itself refuses a larger one",
    "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html",
  ),
  ...gapsOfKind(
    ["lambda"],
    ["2-utf8", "2-utf8-surrogate", "2-utf8-overlong", "2-utf8-replacement"],
    "a JSON body comes as text, in which invalid bytes are U+FFFD",
    "https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html",
  ),
  ...EDGE_TARGETS.flatMap((target) => edgeGaps.map((gap) => ({ target, ...gap }))),
  {
    target: "edge-workerd",
    case: "6-disconnect-close",
    reason: "an orderly close may be a half-close to workerd: only a reset aborts the signal",
    link: "https://developers.cloudflare.com/workers/runtime-apis/request/#the-request-signal",
  },
  ...["6-late-resolves", "6-late-rejects", "6-cancelled-late"].map((id) => ({
    target: "edge-workerd",
    case: id,
    reason: "what a request left running ends with its answer, so nothing finishes late",
    link: "https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil",
  })),
  {
    target: "edge-workerd",
    case: "2-throws-error of another realm",
    reason: "there is one realm: node:vm is not implemented",
    link: "https://developers.cloudflare.com/workers/runtime-apis/nodejs/",
  },
];

function gapsOfKind(
  targets: readonly string[],
  ids: readonly string[],
  reason: string,
  link: string,
): Gap[] {
  return targets.flatMap((target) => ids.map((id) => ({ target, case: id, reason, link })));
}

/** A target's gaps, by case id. */
export function gapsOf(target: string): ReadonlyMap<string, Gap> {
  return new Map(gaps.filter((gap) => gap.target === target).map((gap) => [gap.case, gap]));
}

export function gapCases(): string[] {
  return gaps.map((gap) => gap.case);
}
