import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Front } from "../../adapters/dev/front.ts";
import { freePort } from "../../adapters/dev/service-command.ts";
import { Upstream } from "../../adapters/dev/upstream.ts";

/** A front before a service that does as it is told with each connection. */
async function frontOf(onConnection: (socket: Socket) => void) {
  const service = createServer(onConnection).listen(0, "127.0.0.1");
  await once(service, "listening");
  const front = await Front.listen({ host: "127.0.0.1", port: 0 });
  front.upstream = new Upstream((service.address() as AddressInfo).port);
  onTestFinished(async () => {
    await front.close();
    service.close();
  });
  return { front, url: `http://127.0.0.1:${front.address.port}` };
}

const post = { method: "POST", body: "{}" };

test("a service that ends before its answer is a 500 that says so", async () => {
  const { url } = await frontOf((socket) => socket.once("data", () => socket.destroy()));
  const answer = await fetch(`${url}/v1/invoke`, post);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({ error: expect.stringContaining("may have run") });
});

test("a service that ends within its answer ends the connection", async () => {
  const { url } = await frontOf((socket) =>
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")),
  );
  const answer = await fetch(`${url}/v1/invoke`, post);
  await expect(answer.text()).rejects.toThrow();
});

test("a service that isn't there any more is a 503: the call did not run", async () => {
  const { front, url } = await frontOf(() => {});
  front.upstream = new Upstream(await freePort());
  const answer = await fetch(`${url}/v1/invoke`, post);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
});

test("headers are passed as they are, but those of the connection", async () => {
  let head = "";
  const { front } = await frontOf((socket) =>
    socket.once("data", (chunk) => {
      head = chunk.toString("latin1");
      socket.end(
        "HTTP/1.1 299 Odd\r\nX-Answer: a\r\nx-answer: b\r\nConnection: close, x-hop\r\nX-Hop: 1\r\ncontent-length: 2\r\n\r\nok",
      );
    }),
  );
  const caller = connect(front.address.port, "127.0.0.1");
  caller.write(
    "POST /a?b=%2F/../c HTTP/1.1\r\nHost: pack.test\r\nX-One: 1\r\nx-one: 2\r\nConnection: x-mine, close\r\nX-Mine: 1\r\ncontent-length: 0\r\n\r\n",
  );
  let answer = "";
  for await (const chunk of caller) answer += chunk;
  expect(head.split("\r\n").slice(0, 5)).toEqual([
    "POST /a?b=%2F/../c HTTP/1.1",
    "Host: pack.test",
    "X-One: 1",
    "x-one: 2",
    "content-length: 0",
  ]);
  expect(head).not.toMatch(/x-mine/i);
  expect(answer).toMatch(/^HTTP\/1\.1 299 Odd\r\nX-Answer: a\r\nx-answer: b\r\n/);
  expect(answer).toMatch(/\r\n\r\nok$/);
  expect(answer).not.toMatch(/x-hop/i);
});

test("bodies go both ways as they come", async () => {
  const { front } = await frontOf((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n");
    socket.on("data", (chunk) => {
      if (chunk.includes("second")) socket.end("4\r\nlast\r\n0\r\n\r\n");
    });
  });
  const caller = connect(front.address.port, "127.0.0.1");
  caller.write(
    "POST / HTTP/1.1\r\nHost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n",
  );
  let answer = "";
  for await (const chunk of caller) {
    answer += chunk;
    if (answer.includes("first") && !answer.includes("last")) {
      caller.write("6\r\nsecond\r\n0\r\n\r\n");
    }
  }
  expect(answer).toMatch(/5\r\nfirst\r\n4\r\nlast\r\n0\r\n\r\n$/);
});
