import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Front } from "../../adapters/dev/front.ts";
import { Page } from "../../adapters/dev/page.ts";
import { PageFeed } from "../../adapters/dev/page-feed.ts";
import { Upstream } from "../../adapters/dev/upstream.ts";

const TOKEN = "page-test-token";
const folder = mkdtempSync(join(tmpdir(), "pack-handler-page-"));
const feed = new PageFeed();
/** Answers with the headers that it was sent. */
const service = createServer((req, res) => res.end(JSON.stringify(req.headers)));
let front: Front;
let port: number;
let cookie: string;

beforeAll(async () => {
  writeFileSync(join(folder, "index.html"), "<title>page</title>");
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const page = new Page({ folder: pathToFileURL(`${folder}/`), feed, token: TOKEN });
  front = await Front.listen({ host: "127.0.0.1", port: 0, page });
  front.upstream = new Upstream((service.address() as AddressInfo).port);
  ({ port } = front.address);
  const { headers } = await send("GET", "/");
  cookie = String(headers["set-cookie"]).split(";")[0] as string;
});

afterAll(async () => {
  await front.close();
  service.close();
  rmSync(folder, { recursive: true });
});

async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const sending = request({ host: "127.0.0.1", port, method, path, headers, agent: false });
  sending.end();
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  return answer;
}

/** The headers of a call as the service gets them. */
async function passedOn(headers: Record<string, string>): Promise<Record<string, string>> {
  return JSON.parse(await text(await send("POST", "/v1/invoke", headers)));
}

const own = () => ({ cookie, origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" });

describe("the page", () => {
  test("is served at / with nothing of others allowed in it, and a cookie that no script sees", async () => {
    const answer = await send("GET", "/");
    expect(await text(answer)).toBe("<title>page</title>");
    const policy = answer.headers["content-security-policy"];
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain("unsafe");
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^pack-handler-dev-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(JSON.stringify(answer.rawHeaders)).not.toContain(TOKEN);
  });

  test.each(["POST", "DELETE"])("takes no %s", async (method) => {
    expect((await send(method, "/")).statusCode).toBe(405);
  });

  test("that isn't built says how it is", async () => {
    const answer = await send("GET", "/_dev/page.js");
    expect(answer.statusCode).toBe(404);
    expect(await text(answer)).toContain("npm run build:page");
  });

  test.each(["evil.test", "evil.test:8080", "localhost.evil.test", "127.0.0.1.evil.test", "a@b"])(
    "isn't loaded under the name %j of somebody else's (DNS rebinding)",
    async (host) => {
      const answer = await send("GET", "/", { host });
      expect(answer.statusCode).toBe(403);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    },
  );

  test.each(["localhost", "localhost:9000", "pack.localhost:8080", "127.0.0.1", "[::1]:8080"])(
    "is loaded under %s",
    async (host) => expect((await send("GET", "/", { host })).statusCode).toBe(200),
  );
});

describe("the page's calls", () => {
  test("get the token; the service gets no cookie", async () => {
    const headers = await passedOn(own());
    expect(headers["kindgi-pack-token"]).toBe(TOKEN);
    expect(headers.cookie).toBeUndefined();
  });

  test.each<[string, () => Record<string, string>]>([
    ["no cookie", () => ({ ...own(), cookie: "" })],
    ["another cookie", () => ({ ...own(), cookie: `${cookie}x` })],
    ["no origin", () => ({ cookie })],
    ["another site's origin", () => ({ ...own(), origin: "http://evil.test" })],
    ["another port's origin", () => ({ ...own(), origin: `http://127.0.0.1:${port + 1}` })],
    ["an opaque origin", () => ({ ...own(), origin: "null" })],
    ["a request of the same site", () => ({ ...own(), "sec-fetch-site": "same-site" })],
    [
      "a name that was rebound",
      () => ({ ...own(), host: "evil.test", origin: "http://evil.test" }),
    ],
  ])("don't with %s", async (_what, headers) => {
    expect(await passedOn(headers())).not.toHaveProperty("kindgi-pack-token");
  });

  test("keep a token that was sent, right or wrong", async () => {
    const headers = await passedOn({ ...own(), "kindgi-pack-token": "wrong" });
    expect(headers["kindgi-pack-token"]).toBe("wrong");
  });

  test("get it for calls alone", async () => {
    const answer = await send("GET", "/v1/info", own());
    expect(JSON.parse(await text(answer))).not.toHaveProperty("kindgi-pack-token");
  });
});

describe("what the page is told", () => {
  test("is for the page alone", async () => {
    expect((await send("GET", "/_dev/events")).statusCode).toBe(403);
    const foreign = { ...own(), "sec-fetch-site": "same-site" };
    expect((await send("GET", "/_dev/events", foreign)).statusCode).toBe(403);
  });

  test("is how things stand, then what happens", async () => {
    feed.record({ kind: "call", id: "before", outcome: "ok", durationMs: 3, target: "tool" });
    const answer = await send("GET", "/_dev/events", { cookie, "sec-fetch-site": "same-origin" });
    expect(answer.headers["content-type"]).toMatch(/^text\/event-stream/);
    feed.record({ kind: "call", id: "after\n\nevent: x", outcome: "handler-throw" });
    feed.record({ kind: "env-dropped", names: ["A"] });
    feed.status({ state: "stale", problems: ["p"] });
    let told = "";
    for await (const chunk of answer) {
      told += chunk;
      if (told.includes("stale")) break;
    }
    const events = told.split("\n\n").filter(Boolean);
    expect(events.map((event) => /^event: (.+)$/m.exec(event)?.[1])).toEqual([
      "status",
      "calls",
      "calls",
      "status",
    ]);
    expect(events[1]).toContain('"id":"before"');
    expect(events[2]).toContain('"id":"after\\n\\nevent: x"');
  });
});
