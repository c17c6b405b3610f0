import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failure, json } from "../contract/answer.ts";
import { invoke } from "../contract/messages.ts";
import { sendTo } from "../contract/process.ts";
import { TOKEN } from "../contract/target.ts";
import { Host } from "./embedded.ts";
import { changedExample, MOUNTINGS, parsedExample } from "./mounting.ts";
import { snippet } from "./snippets.ts";
import { BASE_PATH, wayOf } from "./ways.ts";

/** Longest time until an example listens, in milliseconds: only one that hangs reaches it. */
const MAX_START_MS = 60_000;

const CALL = { body: invoke("greet", { name: "Ada" }) };

describe.each(MOUNTINGS)("the pack in an app of $way", (mounting) => {
  const example = snippet(mounting.way);
  let host: Host;
  let port: number;
  beforeAll(async () => {
    host = new Host(wayOf(mounting.way));
    ({ port } = await host.start(changedExample(example, mounting)));
  }, MAX_START_MS);
  afterAll(() => host.end());

  const get = (path: string) => sendTo(port, { path });

  test("shares it with another one", async () => {
    for (const path of [BASE_PATH, "/packs/other"]) {
      const answer = await get(`${path}/v1/info?path=/healthz`);
      expect([answer.status, json(answer).packId], answer.text).toEqual([200, "contract-pack"]);
      const called = await sendTo(port, { ...CALL, path: `${path}/v1/invoke` });
      expect(json(called), called.text).toMatchObject({ output: { greeting: "Hello, Ada" } });
    }
  });

  test.each([`${BASE_PATH}/`, `${BASE_PATH}/none`, `${BASE_PATH}/v1/info/`, `${BASE_PATH}/%2e`])(
    "answers 404 itself to %s",
    async (path) => {
      const answer = await get(path);
      if (mounting.redirectsSlashes && !path.endsWith("/none")) expect(answer.status).toBe(308);
      else
        expect([answer.status, json(answer)], answer.text).toEqual([404, { error: "not found" }]);
    },
  );

  test.each(["/", "/v1/info", "/packs", "/packs/hello2/v1/info", "/packs/none/v1/info"])(
    "leaves %s to the app",
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toBe('{"error":"not found"}');
    },
  );

  test("answers on after middleware ahead of it has thrown", async () => {
    const thrown = await get(`${BASE_PATH}/fails`);
    expect(thrown.status).toBe(mounting.thrownStatus ?? 500);
    expect((await get(`${BASE_PATH}/healthz`)).status).toBe(200);
  });

  test("says what to change when the body was read before", async () => {
    const service = await host.start(parsedExample(example, mounting), { maxConcurrency: 1 });
    for (const attempt of [1, 2]) {
      const request = { ...CALL, path: `${BASE_PATH}/v1/invoke` };
      const answer = await sendTo(service.port, request);
      const { message } = failure(answer, "malformed-message");
      expect(message, `attempt ${attempt}`).toContain("ahead of any body parser");
    }
  });

  test("drains", async () => {
    const service = await host.start(example);
    service.drain();
    await service.records.event("draining");
    expect((await service.send(CALL)).status).toBe(503);
    await service.stop();
  });
});

test("what a body parser has kept for Hattip's adapter is the body", async () => {
  const host = new Host(wayOf("express-hattip"));
  const keep = "app.use(express.json({ verify: (req, _res, bytes) => { req.rawBody = bytes; } }));";
  const code = snippet("express-hattip").replace(/^app\.use/m, `${keep}\n$&`);
  try {
    const answer = await (await host.start(code)).send(CALL);
    expect(json(answer), answer.text).toMatchObject({ output: { greeting: "Hello, Ada" } });
  } finally {
    await host.end();
  }
});

describe("the middleware", () => {
  let host: Host;
  beforeAll(() => {
    host = new Host(wayOf("express"));
  });
  afterAll(() => host.end());

  const head = `import express from "express";
import { createServer } from "node:http";
import { createPackMiddleware } from "pack-handler/connect";
import { index, modules, options } from "./pack.js";
const app = express();
const basePath = "/packs/hello";
`;
  const tail = "app.listen(8080);";

  test.each([
    [
      "a mount path with a trailing slash",
      'app.use("/packs/hello/", createPackMiddleware(index, modules, options));',
    ],
    ["a base path", "app.use(createPackMiddleware(index, modules, { ...options, basePath }));"],
    ["both", "app.use(basePath, createPackMiddleware(index, modules, { ...options, basePath }));"],
    [
      "routers in routers",
      `const inner = express.Router().use("/hello", createPackMiddleware(index, modules, options));
app.use("/packs", inner);`,
    ],
  ])("takes %s", async (_, mount) => {
    const service = await host.start(head + mount + tail);
    expect((await service.send({ path: "/v1/info?a=b" })).status).toBe(200);
    expect((await service.send({ path: "/v1/none" })).status).toBe(404);
    const elsewhere = await sendTo(service.port, { path: "/packs/hello2/v1/info" });
    expect([elsewhere.status, elsewhere.text]).toEqual([
      404,
      expect.stringContaining("Cannot GET"),
    ]);
  });

  test("lets a caller read its 413 who asks for the connection to be closed", async () => {
    const mount = "app.use(basePath, createPackMiddleware(index, modules, options));";
    const { port } = await host.start(head + mount + tail);
    const request = { path: `${BASE_PATH}/v1/invoke`, body: new Uint8Array(12_000_000) };
    for (let times = 0; times < 5; times++) {
      const answer = await sendTo(port, { ...request, headers: { connection: "close" } });
      expect(answer.status).toBe(413);
    }
  });

  test("is a listener by itself, and then answers every path", async () => {
    const listen =
      "createServer(createPackMiddleware(index, modules, { ...options, basePath })).listen(0);";
    const { port } = await host.start(head + listen);
    expect((await sendTo(port, { path: "/packs/hello/v1/info" })).status).toBe(200);
    const elsewhere = await sendTo(port, { path: "/packs/none" });
    expect([elsewhere.status, json(elsewhere)]).toEqual([404, { error: "not found" }]);
  });

  test("refuses a base path with a trailing slash, and says how it is written", async () => {
    const mount =
      'app.use(createPackMiddleware(index, modules, { ...options, basePath: "/packs/" }));';
    await expect(host.start(head + mount + tail)).rejects.toThrow(
      'options.basePath must be "" or a path with a leading slash and no trailing one',
    );
  });

  test("serves HTTP/2", async () => {
    const listen = `import http2 from "node:http2";
http2.createServer(createPackMiddleware(index, modules, { ...options, basePath })).listen(0);`;
    const { port, records } = await host.start(head + listen);
    const { connect } = await import("node:http2");
    const session = connect(`http://127.0.0.1:${port}`);
    const send = (headers: object, body?: string) => {
      const stream = session.request({ "kindgi-pack-token": TOKEN, ...headers });
      stream.end(body);
      return stream;
    };
    const read = async (stream: ReturnType<typeof send>) => {
      let text = "";
      for await (const chunk of stream) text += chunk;
      return text;
    };
    expect(await read(send({ ":path": "/packs/hello/readyz" }))).toBe('{"status":"ready"}');
    const post = {
      ":method": "POST",
      ":path": "/packs/hello/v1/invoke",
      "content-type": "application/json",
    };
    expect(await read(send(post, JSON.stringify(CALL.body)))).toContain("Hello, Ada");
    expect(await read(send(post, "x".repeat(10_485_761)))).toContain("over 10485760 bytes");
    const held = invoke("hold");
    const stream = send(post, JSON.stringify(held));
    await records.logged(held.ctx.requestId, "entered");
    stream.close();
    expect(await records.call(held.ctx.requestId)).toMatchObject({ outcome: "cancelled" });
    session.close();
  });
});
