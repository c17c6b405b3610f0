import { PATHS } from "./paths.ts";
import { HEADERS, RETRY_AFTER_SECONDS } from "./protocol.ts";
import type { Refusal } from "./protocol.ts";

/** What a path is for. */
export type RouteName = keyof typeof PATHS;

interface Route {
  name: RouteName;
  method: "GET" | "POST";
  /** Whether the caller must show the token. */
  token: boolean;
  /** Whether the answer depends on the service's being able to take a call. */
  gate: "none" | "ready" | "call";
}

const ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.entries({
    [PATHS.invoke]: { name: "invoke", method: "POST", token: true, gate: "call" },
    [PATHS.info]: { name: "info", method: "GET", token: true, gate: "none" },
    [PATHS.health]: { name: "health", method: "GET", token: false, gate: "none" },
    [PATHS.ready]: { name: "ready", method: "GET", token: false, gate: "ready" },
  } as const satisfies Record<string, Route>),
);

/** The statuses of non-2xx answers. */
export const REFUSAL_STATUSES = [401, 404, 405, 413, 415, 500, 503] as const;

/** A non-2xx answer: no pack code ran. */
export interface RefusedRequest {
  status: (typeof REFUSAL_STATUSES)[number];
  body: Refusal;
  headers?: Readonly<Record<string, string>>;
}

/** What the refusals ask of the service's state. */
export interface Gate {
  /** Why no call can be taken now (contract §1, step 4). */
  refusal(): Refusal | undefined;
  /** Whether as many calls are running as may. */
  readonly isFull: boolean;
}

export interface TransportOptions {
  token: string | undefined;
  maxBodyBytes: number;
  /** Without a trailing slash; `""` for the root. */
  basePath: string;
  gate: Gate;
}

interface Attempt {
  request: Request;
  route: Route;
  options: TransportOptions;
}

type Step = (attempt: Attempt) => RefusedRequest | undefined;

/** What a request must pass once its path is known, in the order of contract §1. */
const STEPS: readonly Step[] = [
  checkMethod,
  checkToken,
  checkGate,
  checkMediaType,
  checkDeclaredSize,
];

/** The route of a request, or why it is refused. */
export function admit(request: Request, options: TransportOptions): RouteName | RefusedRequest {
  const route = ROUTES.get(routePath(request, options.basePath));
  if (!route) return { status: 404, body: { error: "not found" } };
  const attempt = { request, route, options };
  for (const step of STEPS) {
    const refused = step(attempt);
    if (refused) return refused;
  }
  return route.name;
}

/**
 * A URL's path below the base path, as it was sent: nothing is decoded or resolved, so that only the exact path is a
 * route. By hand, since some hosts pass a relative URL and `new URL` costs more than the rest of a refusal.
 */
function routePath({ url, headers }: Request, basePath: string): string {
  const path = PATH.exec(url.startsWith("/") ? url : afterScheme(url, headers))?.[1] ?? "";
  return path.startsWith(basePath) ? path.slice(basePath.length) : "";
}

const PATH = /^[^/?#]*(\/[^?#]*)/;

/** Deno makes a URL by joining host and target unread, so a host can push the target's path into a query. */
function afterScheme(url: string, headers: Headers): string {
  const scheme = url.indexOf("://");
  const isSound = scheme !== -1 && !/[/?#\\]/.test(headers.get("host") ?? "");
  return isSound ? url.slice(scheme + 3) : "";
}

function checkMethod({ request, route }: Attempt): RefusedRequest | undefined {
  const { method } = request;
  if (method === route.method || (method === "HEAD" && route.method === "GET")) return undefined;
  const allow = route.method === "GET" ? "GET, HEAD" : route.method;
  return { status: 405, body: { error: `method not allowed; use ${allow}` }, headers: { allow } };
}

function checkToken({ request, route, options }: Attempt): RefusedRequest | undefined {
  if (!route.token) return undefined;
  const { token } = options;
  if (token === undefined) {
    const error =
      "this service has no token, so every call is refused; pass createPackHandler the option token";
    return { status: 401, body: { error } };
  }
  const given = request.headers.get(HEADERS.token);
  if (given !== null && equalInConstantTime(given, token)) return undefined;
  const error = given === null ? `missing header ${HEADERS.token}` : `wrong ${HEADERS.token}`;
  return { status: 401, body: { error } };
}

/** Takes as long for every text of a length, wherever it differs. */
function equalInConstantTime(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let i = 0; i < expected.length; i++) {
    difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  }
  return difference === 0;
}

function checkGate({ route, options }: Attempt): RefusedRequest | undefined {
  if (route.gate === "none") return undefined;
  const refusal = options.gate.refusal();
  if (refusal) return unavailable(refusal);
  return route.gate === "call" && options.gate.isFull
    ? unavailable({ error: "overloaded" })
    : undefined;
}

function unavailable(body: Refusal): RefusedRequest {
  return { status: 503, body, headers: { "retry-after": String(RETRY_AFTER_SECONDS) } };
}

function checkMediaType({ request, route }: Attempt): RefusedRequest | undefined {
  if (route.name !== "invoke") return undefined;
  const contentType = request.headers.get("content-type");
  if (contentType !== null && isJson(contentType)) return undefined;
  return { status: 415, body: { error: "content-type must be application/json, once" } };
}

/** Judges a media type by its essence. A header that came twice arrives joined by a comma. */
function isJson(contentType: string): boolean {
  const end = contentType.indexOf(";");
  const essence = end === -1 ? contentType : contentType.slice(0, end);
  if (!JSON_ESSENCE.test(essence)) return false;
  return end === -1 || !contentType.slice(end).replace(QUOTED, "").includes(",");
}

/** By hand, since `trim` takes more for a space than HTTP does. */
const JSON_ESSENCE = /^[ \t]*application\/json[ \t]*$/i;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

function checkDeclaredSize({ request, route, options }: Attempt): RefusedRequest | undefined {
  if (route.name !== "invoke") return undefined;
  const declared = Number(request.headers.get("content-length") ?? 0);
  return declared > options.maxBodyBytes ? bodyTooLarge(options.maxBodyBytes) : undefined;
}

export function bodyTooLarge(maxBodyBytes: number): RefusedRequest {
  return { status: 413, body: { error: `the body is over ${maxBodyBytes} bytes` } };
}
