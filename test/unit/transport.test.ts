import { describe, expect, test } from "vitest";
import { admit } from "../../src/transport.ts";
import type { TransportOptions } from "../../src/transport.ts";
import type { Refusal } from "../../src/protocol.ts";

const open = { refusal: () => undefined, isFull: false };
const shut = (refusal: Refusal | undefined, isFull = false) => ({ refusal: () => refusal, isFull });

interface Attempt {
  url?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** A request as servers make them: with a target that `new Request` would have rewritten. */
function attempt({ url = "http://host/v1/invoke", method = "POST", headers = {} }: Attempt) {
  const all = { "kindgi-pack-token": "secret", "content-type": "application/json", ...headers };
  return { url, method, headers: new Headers(all) } as Request;
}

function judge(request: Attempt, options: Partial<TransportOptions> = {}) {
  const defaults = { token: "secret", maxBodyBytes: 100, basePath: "", gate: open };
  const admitted = admit(attempt(request), { ...defaults, ...options });
  return typeof admitted === "string" ? admitted : admitted.status;
}

describe("paths (§1.1)", () => {
  test.each([
    ["http://host/healthz", "health"],
    ["http://host/readyz?x=1", "ready"],
    ["http://host/healthz#x", "health"],
    ["/healthz", "health"],
    ["http://undefined/v1/info", "info"],
    ["https://h:1/v1/info?/v1/invoke", "info"],
  ])("%s is a route", (url, route) => {
    expect(judge({ url, method: "GET" })).toBe(route);
  });

  test.each([
    "http://host",
    "http://host/",
    "http://host/v1/info/",
    "http://host//v1/info",
    "//v1/info",
    "http://host/V1/info",
    "http://host/v1/%69nfo",
    "http://host/v1/../v1/info",
    "http://host/__proto__",
    "http://host/constructor",
    "http://host/x?/v1/info",
    "http://host?/v1/info",
    "http://host#/v1/info",
    "xx/v1/info",
    "http://host/*",
    "*",
    "",
  ])("%s is none", (url) => {
    expect(judge({ url, method: "GET" })).toBe(404);
  });

  test.each(["x/v1/info?", "/v1/info#", "x\\v1\\info?"])("a host of %j leads to none", (host) => {
    const url = `http://${host}/healthz`;
    expect(judge({ url, method: "GET", headers: { host } })).toBe(404);
  });

  test("lie under the base path", () => {
    const at = (url: string) => judge({ url, method: "GET" }, { basePath: "/packs/a" });
    expect(at("http://host/packs/a/v1/info")).toBe("info");
    expect(at("http://host/v1/info")).toBe(404);
    expect(at("http://host/packs/ab/v1/info")).toBe(404);
    expect(at("http://host/packs/a")).toBe(404);
  });
});

describe("the order of refusals (§1)", () => {
  /** Each breaks one step; all that come after it are broken too. */
  const broken: [number, Attempt, Partial<TransportOptions>][] = [
    [404, { url: "http://host/nope" }, {}],
    [405, { method: "PUT" }, {}],
    [401, { headers: { "kindgi-pack-token": "wrong" } }, {}],
    [503, {}, { gate: shut({ error: "draining" }) }],
    [503, {}, { gate: shut(undefined, true) }],
    [415, { headers: { "content-type": "text/plain" } }, {}],
    [413, { headers: { "content-length": "101" } }, {}],
  ];
  test.each(broken.map((step, i) => [step[0], i]))(
    "%i comes before what follows it",
    (status, at) => {
      const later = broken.slice(at);
      const request = later.reduceRight<Attempt>(
        (all, [, one]) => ({ ...all, ...one, headers: { ...all.headers, ...one.headers } }),
        {},
      );
      const options = later.reduceRight((all, [, , one]) => ({ ...all, ...one }), {});
      expect(judge(request, options)).toBe(status);
    },
  );
});

describe("methods (§1.2)", () => {
  test.each([
    ["GET", "/v1/invoke", 405],
    ["HEAD", "/v1/invoke", 405],
    ["POST", "/v1/info", 405],
    ["POST", "/healthz", 405],
    ["OPTIONS", "/readyz", 405],
    ["get", "/healthz", 405],
    ["HEAD", "/healthz", "health"],
    ["HEAD", "/v1/info", "info"],
  ])("%s %s → %s", (method, path, expected) => {
    expect(judge({ method, url: `http://host${path}` })).toBe(expected);
  });

  test("are named in Allow", () => {
    const defaults = { token: "secret", maxBodyBytes: 1, basePath: "", gate: open };
    const put = attempt({ method: "PUT", url: "http://host/healthz" });
    expect(admit(put, defaults)).toMatchObject({ headers: { allow: "GET, HEAD" } });
    expect(admit(attempt({ method: "PUT" }), defaults)).toMatchObject({
      headers: { allow: "POST" },
    });
  });
});

describe("the token (§1.3)", () => {
  test.each(["", "secre", "secrets", "Secret", "secret, secret", "secreT"])(
    "%j is refused",
    (token) => {
      expect(judge({ headers: { "kindgi-pack-token": token } })).toBe(401);
    },
  );

  test("is wanted for info, not for the probes", () => {
    const headers = { "kindgi-pack-token": "wrong" };
    expect(judge({ url: "/v1/info", method: "GET", headers })).toBe(401);
    expect(judge({ url: "/healthz", method: "GET", headers })).toBe("health");
    expect(judge({ url: "/readyz", method: "GET", headers })).toBe("ready");
  });

  test("that the service lacks refuses every call, and the answer says what to pass", () => {
    const none = { token: undefined, maxBodyBytes: 1, basePath: "", gate: open };
    expect(admit(attempt({}), none)).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining("createPackHandler the option token") },
    });
    expect(judge({ headers: { "kindgi-pack-token": "undefined" } }, { token: undefined })).toBe(
      401,
    );
  });
});

describe("the gate (§1.4)", () => {
  test("tells why, and asks to come back", () => {
    const options = { token: "secret", maxBodyBytes: 1, basePath: "" };
    const body = { error: "missing env", missingEnv: ["A"] };
    const headers = { "retry-after": "1" };
    expect(admit(attempt({}), { ...options, gate: shut(body) })).toEqual({
      status: 503,
      body,
      headers,
    });
    const overloaded = { status: 503, body: { error: "overloaded" }, headers };
    expect(admit(attempt({}), { ...options, gate: shut(undefined, true) })).toEqual(overloaded);
  });

  test("is not asked by info and healthz; being full is still ready", () => {
    const gate = shut({ error: "draining" }, true);
    expect(judge({ url: "/v1/info", method: "GET" }, { gate })).toBe("info");
    expect(judge({ url: "/healthz", method: "GET" }, { gate })).toBe("health");
    expect(judge({ url: "/readyz", method: "GET" }, { gate })).toBe(503);
    expect(judge({ url: "/readyz", method: "GET" }, { gate: shut(undefined, true) })).toBe("ready");
  });
});

describe("media types (§1.5)", () => {
  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=utf-8",
    "application/json ; charset=latin1",
    "\tapplication/json",
    'application/json; a="x, y"',
    'application/json; a="\\", y"',
  ])("%j is JSON", (type) => {
    expect(judge({ headers: { "content-type": type } })).toBe("invoke");
  });

  test.each([
    "",
    "application/jsonp",
    "application/ld+json",
    "text/plain; a=application/json",
    "text/json",
    "application/json, application/json",
    "application/json; a=b, text/plain",
    "application /json",
    "application/json\u00a0",
    "json",
  ])("%j isn't", (type) => {
    expect(judge({ headers: { "content-type": type } })).toBe(415);
  });
});

describe("declared sizes (§1.6)", () => {
  test.each([
    ["100", "invoke"],
    ["101", 413],
    ["99999999999999999999999", 413],
    ["abc", "invoke"],
    ["0", "invoke"],
  ])("%s → %s", (length, expected) => {
    expect(judge({ headers: { "content-length": length } })).toBe(expected);
  });
});
