import { once } from "node:events";
import type { Socket } from "node:net";
import { expect } from "vitest";
import { failure, output, refusal } from "../answer.ts";
import type { Case } from "../case.ts";
import { callTool, hold, invoke, untilOverloaded } from "../messages.ts";
import { TOKEN } from "../target.ts";
import type { SocketService, StartOptions } from "../target.ts";

const LIMIT = 10_485_760;
const CALL = JSON.stringify(invoke("echo"));

/** A call of exactly so many bytes. */
function callOfSize(bytes: number): Uint8Array {
  const message = invoke("echo", "");
  const empty = JSON.stringify(message).length;
  return new TextEncoder().encode(JSON.stringify({ ...message, input: "x".repeat(bytes - empty) }));
}

async function* inChunks(bytes: Uint8Array, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** Whether an answer with a JSON object has come whole. */
function isAnswered(received: string): boolean {
  return /\r\n\r\n.+\}/s.test(received);
}

/** Whether nothing follows such an answer any more. */
function isWhole(received: string): boolean {
  return received.endsWith(/^transfer-encoding: chunked/im.test(received) ? "\r\n0\r\n\r\n" : "}");
}

function head(lines: readonly string[], target = "POST /v1/invoke HTTP/1.1"): string {
  return [target, ...lines, "", ""].join("\r\n");
}

const HOST = "host: pack.test";
const TOKEN_LINE = `kindgi-pack-token: ${TOKEN}`;
const TYPE_LINE = "content-type: application/json";
const LENGTH_LINE = `content-length: ${CALL.length}`;
const CLOSE = "connection: close";

interface RawRow {
  id: string;
  title: string;
  verifies: Case["verifies"];
  bytes: string;
  status: number;
}

const rawRows: RawRow[] = [
  {
    id: "1-twice-token",
    title: "the token twice",
    verifies: ["1.twice", "1.401"],
    bytes: head([HOST, TOKEN_LINE, TOKEN_LINE, TYPE_LINE, LENGTH_LINE, CLOSE]) + CALL,
    status: 401,
  },
  {
    id: "1-twice-token-wrong-second",
    title: "a right and a wrong token",
    verifies: ["1.twice"],
    bytes:
      head([HOST, TOKEN_LINE, "kindgi-pack-token: wrong", TYPE_LINE, LENGTH_LINE, CLOSE]) + CALL,
    status: 401,
  },
  {
    id: "1-twice-token-wrong-first",
    title: "a wrong and a right token",
    verifies: ["1.twice"],
    bytes:
      head([HOST, "kindgi-pack-token: wrong", TOKEN_LINE, TYPE_LINE, LENGTH_LINE, CLOSE]) + CALL,
    status: 401,
  },
  {
    id: "1-twice-type",
    title: "the content type twice",
    verifies: ["1.twice", "1.415"],
    bytes: head([HOST, TOKEN_LINE, TYPE_LINE, TYPE_LINE, LENGTH_LINE, CLOSE]) + CALL,
    status: 415,
  },
  {
    id: "1-twice-type-other",
    title: "two content types, JSON first",
    verifies: ["1.twice", "1.415"],
    bytes:
      head([HOST, TOKEN_LINE, TYPE_LINE, "content-type: text/plain", LENGTH_LINE, CLOSE]) + CALL,
    status: 415,
  },
  {
    id: "1-order-401-declared",
    title: "a wrong token before a body that is declared too large",
    verifies: ["1.order"],
    bytes: head([
      HOST,
      "kindgi-pack-token: wrong",
      TYPE_LINE,
      `content-length: ${LIMIT + 1}`,
      CLOSE,
    ]),
    status: 401,
  },
  {
    id: "1-order-415-declared",
    title: "a wrong media type before a body that is declared too large",
    verifies: ["1.order"],
    bytes: head([
      HOST,
      TOKEN_LINE,
      "content-type: text/plain",
      `content-length: ${LIMIT + 1}`,
      CLOSE,
    ]),
    status: 415,
  },
  {
    id: "1-http10-healthz",
    title: "an HTTP/1.0 probe without a Host",
    verifies: ["1.no-host"],
    bytes: head([], "GET /healthz HTTP/1.0"),
    status: 200,
  },
  {
    id: "1-http10-readyz",
    title: "an HTTP/1.0 readiness probe without a Host",
    verifies: ["1.no-host"],
    bytes: head([], "GET /readyz HTTP/1.0"),
    status: 200,
  },
  {
    id: "1-http10-invoke",
    title: "an HTTP/1.0 call without a Host",
    verifies: ["1.no-host"],
    bytes: head([TOKEN_LINE, TYPE_LINE, LENGTH_LINE], "POST /v1/invoke HTTP/1.0") + CALL,
    status: 200,
  },
  {
    id: "1-http10-unknown",
    title: "an unknown path without a Host",
    verifies: ["1.no-host", "1.404"],
    bytes: head([], "GET /nothing HTTP/1.0"),
    status: 404,
  },
];

function fromRawRow({ id, title, verifies, bytes, status }: RawRow): Case {
  return {
    id,
    title,
    verifies,
    needs: "socket",
    async run({ service }) {
      const answer = await (await service()).raw(bytes, isAnswered);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.[01] ${status} `));
      expect(answer.toLowerCase()).toContain("content-type: application/json; charset=utf-8");
    },
  };
}

const DECLARED_TOO_LARGE = head([HOST, TOKEN_LINE, TYPE_LINE, `content-length: ${LIMIT + 1}`]);
const CHUNKED = head([HOST, TOKEN_LINE, TYPE_LINE, "transfer-encoding: chunked"]);

/** Writes all of a body before it reads a byte: such a client loses the answer to a connection that is reset. */
async function sendAllThenRead(
  socket: Socket,
  headText: string,
  bytes: number,
  chunked: boolean,
): Promise<string> {
  let received = "";
  socket.pause();
  socket.write(headText);
  const piece = Buffer.alloc(65_536, "x");
  for (let sent = 0; sent < bytes; sent += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, bytes - sent));
    const framed = chunked
      ? Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")])
      : part;
    if (!socket.write(framed)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    expect(socket.destroyed, "the connection was cut during the upload").toBe(false);
  }
  if (chunked) socket.write("0\r\n\r\n");
  socket.on("data", (data) => {
    received += data.toString("latin1");
  });
  socket.resume();
  while (!isAnswered(received) && !socket.destroyed) {
    await Promise.race([once(socket, "data"), once(socket, "close")]);
  }
  socket.destroy();
  return received;
}

/** Reads while it uploads without an end; stops at the answer. */
async function readWhileUploading(socket: Socket, headText: string): Promise<string> {
  let received = "";
  socket.on("data", (data) => {
    received += data.toString("latin1");
  });
  socket.write(headText);
  const piece = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  while (!isAnswered(received) && !socket.destroyed) {
    if (!socket.write(piece))
      await Promise.race([once(socket, "drain"), once(socket, "close"), once(socket, "data")]);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  socket.destroy();
  return received;
}

function expectTooLarge(received: string): void {
  expect(received).toMatch(/^HTTP\/1\.1 413 /);
  expect(JSON.parse(received.slice(received.indexOf("{"), received.lastIndexOf("}") + 1))).toEqual({
    error: expect.any(String),
  });
}

const CAP_ONE: StartOptions = { maxConcurrency: 1 };

/** A call whose body stops half way; resolves with the answer's text. */
function stalled(service: SocketService, timeoutMs: number): Promise<string> {
  const lines = [
    HOST,
    TOKEN_LINE,
    TYPE_LINE,
    "content-length: 1000",
    `kindgi-timeout-ms: ${timeoutMs}`,
  ];
  return service.raw(`${head(lines)}{"v":2,`, isAnswered);
}

export const httpCases: readonly Case[] = [
  ...rawRows.map(fromRawRow),
  {
    id: "1-404-dot-segments",
    title: "dot segments lead around no check",
    verifies: ["1.404", "1.401"],
    needs: "socket",
    async run({ service }) {
      const running = await service();
      const paths = [
        "/v1/../v1/info",
        "/./v1/info",
        "/healthz/../v1/info",
        "/v1/%2e%2e/v1/info",
        "/healthz/..%2fv1/info",
      ];
      for (const path of paths) {
        const answer = await running.raw(head([HOST, CLOSE], `GET ${path} HTTP/1.1`));
        expect(answer, path).toMatch(/^HTTP\/1\.1 (401|404) /);
      }
    },
  },
  {
    id: "1-twice-in-process",
    title: "repeated headers reach the handler joined, and are refused",
    verifies: ["1.twice"],
    async run({ service }) {
      const { send } = await service();
      refusal(
        await send({ body: CALL, headers: { "kindgi-pack-token": `${TOKEN}, ${TOKEN}` } }),
        401,
      );
      refusal(
        await send({
          body: CALL,
          headers: { "content-type": "application/json, application/json" },
        }),
        415,
      );
    },
  },
  {
    id: "1-413-limit",
    title: "a body of exactly the limit is accepted, with a length and without",
    verifies: ["1.413-limit"],
    async run({ service }) {
      const { send } = await service();
      const body = callOfSize(LIMIT);
      expect(body.length).toBe(LIMIT);
      output(await send({ body }));
      output(await send({ body: () => inChunks(body) }));
    },
  },
  {
    id: "1-413-over",
    title: "one byte more is refused, with a length and without",
    verifies: ["1.413-limit", "1.413-declared", "1.413-counted"],
    async run({ service }) {
      const { send } = await service();
      const body = callOfSize(LIMIT + 1);
      refusal(await send({ body }), 413);
      refusal(await send({ body: () => inChunks(body) }), 413);
    },
  },
  {
    id: "1-413-at-once",
    title: "a declared length is refused before a byte of the body has come",
    verifies: ["1.413-declared"],
    needs: "socket",
    async run({ service }) {
      const answer = await (await service()).raw(DECLARED_TOO_LARGE, isAnswered);
      expectTooLarge(answer);
    },
  },
  {
    id: "1-413-declared-send-first",
    title: "a client that sends all of a declared body first can read the 413",
    verifies: ["1.413-readable", "1.413-declared"],
    needs: "socket",
    async run({ service }) {
      const socket = await (await service()).connect();
      expectTooLarge(await sendAllThenRead(socket, DECLARED_TOO_LARGE, LIMIT + 1, false));
    },
  },
  {
    id: "1-413-chunked-send-first",
    title: "a client that sends all of a chunked body first can read the 413",
    verifies: ["1.413-readable", "1.413-counted"],
    needs: "socket",
    async run({ service }) {
      const socket = await (await service()).connect();
      expectTooLarge(await sendAllThenRead(socket, CHUNKED, LIMIT + 2_000_000, true));
    },
  },
  {
    id: "1-413-while-uploading",
    title: "a client that reads while it uploads sees the 413 during its upload",
    verifies: ["1.413-readable", "1.413-counted"],
    needs: "socket",
    async run({ service }) {
      const socket = await (await service()).connect();
      expectTooLarge(await readWhileUploading(socket, CHUNKED));
    },
  },
  {
    id: "1-413-frees-slot",
    title: "an oversized upload holds no slot once it is refused",
    verifies: ["6.slot-free", "1.413-counted"],
    async run({ start }) {
      const service = await start(CAP_ONE);
      refusal(await service.send({ body: () => inChunks(callOfSize(LIMIT + 1)) }), 413);
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "6-stalled-body",
    title: "a stalled body is answered at its deadline and its slot is free",
    verifies: ["6.clock", "6.stalled", "6.slot-free", "2.deadline-exceeded"],
    async run({ start }) {
      const service = await start(CAP_ONE);
      async function* half() {
        yield new TextEncoder().encode('{"v":2,');
        await new Promise(() => {});
      }
      const answer = await service.send({ body: half, headers: { "kindgi-timeout-ms": "100" } });
      failure(answer, "deadline-exceeded");
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "6-stalled-length",
    title: "so is one that has declared its length",
    verifies: ["6.stalled"],
    needs: "socket",
    async run({ start }) {
      const service = await start(CAP_ONE);
      expect(await stalled(service, 100)).toContain('"deadline-exceeded"');
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "6-disconnect-upload",
    title: "a caller that goes away during its upload frees its slot and is not malformed",
    verifies: ["6.disconnect", "2.cancelled", "6.slot-free"],
    needs: "socket",
    async run({ start }) {
      const service = await start(CAP_ONE);
      const socket = await service.connect();
      socket.write(
        `${head([HOST, TOKEN_LINE, TYPE_LINE, "content-length: 1000", "kindgi-request-id: gone"])}{"v":2,`,
      );
      await untilOverloaded(service);
      socket.destroy();
      expect(await service.records.call("gone")).toMatchObject({ outcome: "cancelled" });
      output(await callTool(service, "echo"));
    },
  },
  {
    id: "1-keep-alive-reuse",
    title: "a connection serves several calls",
    verifies: ["1.keep-alive"],
    needs: "socket",
    async run({ service }) {
      const socket = await (await service()).connect();
      const call = head([HOST, TOKEN_LINE, TYPE_LINE, LENGTH_LINE]) + CALL;
      for (let calls = 0; calls < 5; calls++) {
        socket.write(call);
        let received = "";
        while (!isWhole(received)) received += (await once(socket, "data"))[0];
        expect(received).toMatch(/^HTTP\/1\.1 200 /);
      }
      socket.destroy();
    },
  },
  {
    id: "1-keep-alive-announced",
    title: "an idle connection is promised at least 65 s",
    verifies: ["1.keep-alive"],
    needs: "process",
    runtimes: ["node"],
    async run({ service }) {
      const request = head([HOST, "connection: keep-alive"], "GET /healthz HTTP/1.1");
      const answer = await (await service()).raw(request, (received) => received.includes("}"));
      const timeout = /^keep-alive: timeout=(\d+)/im.exec(answer)?.[1];
      expect(Number(timeout)).toBeGreaterThanOrEqual(65);
    },
  },
  {
    id: "1-keep-alive-kept",
    title: "an idle connection is still there after 65 s",
    verifies: ["1.keep-alive"],
    needs: "process",
    runtimes: ["bun", "deno"],
    async run({ service }) {
      const socket = await (await service()).connect();
      const request = head([HOST], "GET /healthz HTTP/1.1");
      for (const pauseMs of [65_000, 0]) {
        socket.write(request);
        const [data] = await once(socket, "data");
        expect(String(data)).toMatch(/^HTTP\/1\.1 200 /);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        expect(socket.destroyed).toBe(false);
      }
      socket.destroy();
    },
  },
  {
    id: "6-disconnect",
    title: "a caller that closes its connection cancels its call",
    verifies: ["6.disconnect", "6.abort", "2.cancelled", "6.slot-free"],
    async run({ service }) {
      const running = await service();
      const held = await hold(running);
      held.hangUp();
      expect(await running.records.logged(held.requestId, "aborted")).toMatchObject({
        reason: "AbortError",
        isDomException: true,
      });
      expect(await running.records.call(held.requestId)).toMatchObject({
        outcome: "cancelled",
        level: "warn",
      });
    },
  },
  {
    id: "6-disconnect-close",
    title: "an orderly close is a disconnect, too",
    verifies: ["6.disconnect", "2.cancelled"],
    async run({ service }) {
      const running = await service();
      const held = await hold(running, {}, { closes: true });
      held.hangUp();
      expect(await running.records.call(held.requestId)).toMatchObject({ outcome: "cancelled" });
    },
  },
  {
    id: "6-no-disconnect",
    title: "an answered call has not been cancelled",
    verifies: ["6.disconnect"],
    async run({ service }) {
      const running = await service();
      const message = invoke("late");
      const answer = running.send({ body: message, headers: { "kindgi-timeout-ms": "50" } });
      failure(await answer, "deadline-exceeded");
      const record = await running.records.call(message.ctx.requestId);
      expect(record.outcome).toBe("deadline-exceeded");
    },
  },
];
