import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { nodeSeams, serveNode } from "../../adapters/node-server.ts";
import { createPackHandler } from "../../src/index.ts";

const index = {
  v: 1,
  packId: "p",
  packVersion: "1",
  artifactVersion: "1",
  tools: [{ id: "wait", input: true, output: true, modulePath: "wait.mjs" }],
  guardrails: [],
};

/** A service whose calls wait until they are let go. */
async function waiting() {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const outcomes: unknown[] = [];
  const handler = createPackHandler(
    index,
    { "wait.mjs": { default: () => released } },
    {
      ...nodeSeams,
      token: "t",
      onRecord: ({ event, outcome }) => void (event === "call" && outcomes.push(outcome)),
    },
  );
  const server = await serveNode({ handler, hostname: "127.0.0.1", port: 0 });
  return { handler, server, release, outcomes };
}

function callText(): string {
  const message = { v: 2, kind: "invoke", tool: { id: "wait" }, input: 1 };
  const body = JSON.stringify({ ...message, ctx: { tenantId: "t", runId: "r" } });
  const head = [
    "POST /v1/invoke HTTP/1.1",
    "host: h",
    "kindgi-pack-token: t",
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

describe("a caller who sends calls without waiting for their answers (§6)", () => {
  test("cancels all of them by closing its connection, and leaves nothing to wait for", async () => {
    const { handler, server, release, outcomes } = await waiting();
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`${callText().repeat(3)}GET /healthz HTTP/1.1\r\nhost: h\r\n\r\n`);
    await vi.waitFor(() => expect(handler.inFlight).toBe(3));
    socket.destroy();
    await vi.waitFor(() => expect(outcomes).toEqual(["cancelled", "cancelled", "cancelled"]));
    expect(handler.inFlight).toBe(0);
    release();
    // The limit is longer than the test may take.
    await server.close(60_000);
  });
});
