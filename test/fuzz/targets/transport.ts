import assert from "node:assert/strict";
import { admit } from "../../../src/transport.ts";
import type { FuzzTarget } from "../target.ts";

const TOKEN = "fuzz-token~!x9";
const LIMIT_BYTES = 1_000;

interface Attempt {
  url: string;
  method: string;
  headers: Headers;
  refusal: string | undefined;
  isFull: boolean;
}

/** A request is admitted, or refused by the first step of the contract that it doesn't pass, whatever its headers are. */
export const transportTarget: FuzzTarget = {
  name: "transport",
  dictionary: [
    ...["url", "method", "headers", "refusal", "isFull", "GET", "HEAD", "POST", "OPTIONS", TOKEN],
    ...[
      "/v1/invoke",
      "/v1/info",
      "/healthz",
      "/readyz",
      "http://h",
      "?",
      "#",
      "//",
      "%2f",
      "\\",
      "..",
    ],
    ...[
      "kindgi-pack-token",
      "content-type",
      "content-length",
      "host",
      "authorization",
      "__proto__",
    ],
    ...[
      "application/json",
      "APPLICATION/JSON",
      "; charset=utf-8",
      ', "',
      '\\"',
      "+json",
      "text/plain",
    ],
    ...["1000", "1001", "1e3", "0x3E8", "-1", "draining", "not ready", "\t", " ", "\u00a0", "é"],
  ],
  check(input) {
    const attempt = readAttempt(new TextDecoder().decode(input));
    const { url, method, headers, refusal, isFull } = attempt;
    const request = { url, method, headers } as Request;
    const gate = {
      isFull,
      refusal: () => (refusal === undefined ? undefined : { error: refusal }),
    };
    const admitted = admit(request, {
      token: TOKEN,
      maxBodyBytes: LIMIT_BYTES,
      basePath: "",
      gate,
    });
    if (typeof admitted === "string") return assert.equal(expectedStatus(attempt), 200);
    assert.equal(admitted.status, expectedStatus(attempt));
    assert.equal(typeof admitted.body.error, "string");
    assert.ok(!JSON.stringify(admitted).includes(TOKEN));
    assert.equal(admitted.headers?.allow !== undefined, admitted.status === 405);
    assert.equal(admitted.headers?.["retry-after"], admitted.status === 503 ? "1" : undefined);
  },
};

/** An input as a request; one that isn't JSON is a content type. */
function readAttempt(text: string): Attempt {
  let given: Record<string, unknown>;
  try {
    given = Object(JSON.parse(text));
  } catch {
    given = {
      headers: [
        ["content-type", text],
        ["kindgi-pack-token", TOKEN],
      ],
    };
  }
  const { url = "http://h/v1/invoke", method = "POST", refusal, isFull } = given;
  return {
    url: String(url),
    method: String(method),
    headers: readHeaders(given.headers),
    refusal: typeof refusal === "string" ? refusal : undefined,
    isFull: isFull === true,
  };
}

function readHeaders(entries: unknown): Headers {
  const headers = new Headers();
  for (const entry of Array.isArray(entries) ? entries : []) {
    try {
      headers.append(String(entry[0]), String(entry[1]));
    } catch {
      // No server hands on what isn't a header.
    }
  }
  return headers;
}

const ROUTES: Readonly<Record<string, string>> = {
  "/v1/invoke": "POST",
  "/v1/info": "GET",
  "/healthz": "GET",
  "/readyz": "GET",
};

/** The status that the contract's steps lead to, each written another way than in the service. */
function expectedStatus({ url, method, headers, refusal, isFull }: Attempt): number {
  const path = pathOf(url, headers.get("host") ?? "");
  if (!Object.hasOwn(ROUTES, path)) return 404;
  if (method !== ROUTES[path] && !(method === "HEAD" && ROUTES[path] === "GET")) return 405;
  if (path.startsWith("/v1/") && headers.get("kindgi-pack-token") !== TOKEN) return 401;
  const isCall = path === "/v1/invoke";
  if ((isCall || path === "/readyz") && refusal !== undefined) return 503;
  if (!isCall) return 200;
  if (isFull) return 503;
  if (!isJson(headers.get("content-type") ?? "")) return 415;
  return Number(headers.get("content-length")) > LIMIT_BYTES ? 413 : 200;
}

function pathOf(url: string, host: string): string {
  let rest = url;
  if (!url.startsWith("/")) {
    const parts = url.split("://");
    if (parts.length === 1 || ["/", "?", "#", "\\"].some((sign) => host.includes(sign))) return "";
    rest = parts.slice(1).join("://");
    const slash = rest.indexOf("/");
    const other = rest.search(/[?#]/);
    if (slash === -1 || (other !== -1 && other < slash)) return "";
    rest = rest.slice(slash);
  }
  return rest.split("?")[0]!.split("#")[0]!;
}

/** Reads a media type sign by sign. */
function isJson(type: string): boolean {
  const [essence = ""] = type.split(";", 1);
  const bare = essence.replaceAll(/^[\t ]+|[\t ]+$/g, "").toLowerCase();
  if (bare !== "application/json") return false;
  let isQuoted = false;
  for (let i = essence.length; i < type.length; i++) {
    if (type[i] === '"' && (isQuoted || closes(type, i))) isQuoted = !isQuoted;
    else if (isQuoted && type[i] === "\\") i++;
    else if (!isQuoted && type[i] === ",") return false;
  }
  return true;
}

/** Whether a quotation that begins somewhere has an end. */
function closes(type: string, from: number): boolean {
  for (let i = from + 1; i < type.length; i++) {
    if (type[i] === "\\") i++;
    else if (type[i] === '"') return true;
  }
  return false;
}
