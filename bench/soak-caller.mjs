import { Agent, request } from "node:http";
import { TOKEN } from "./soak-service.mjs";

const kept = new Agent({ keepAlive: true });
const OVERSIZED_BYTES = 10_485_761;
/** Only a call that is lost reaches it. */
const MAX_WAIT_MS = 20_000;
const CHUNK = Buffer.alloc(65_536, " ");

/** A caller of the soak's pack. Each kind of call tells the ledger what has come of it. */
export class Caller {
  /** Where the service listens. */
  port = 0;
  #ledger;
  #entered = new Map();

  constructor(ledger) {
    this.#ledger = ledger;
  }

  /** Lets go of every connection that is kept. */
  close() {
    kept.destroy();
  }

  /** What the service's stderr says. */
  onRecord(record) {
    if (record.event === "call") this.#ledger.recorded(record.requestId, record.outcome);
    else if (record.message === "entered") this.#entered.get(record.requestId)?.();
  }

  ok(id) {
    return this.#call(id, "ok", { tool: "echo", input: { text: "t".repeat(id.length * 20) } });
  }

  throws(id) {
    return this.#call(id, "handler-throw", { tool: "throws" });
  }

  wrongOutput(id) {
    return this.#call(id, "output-validation-failed", { tool: "wrong" });
  }

  wrongInput(id) {
    return this.#call(id, "input-validation-failed", { tool: "echo", input: { text: 1 } });
  }

  unknownTool(id) {
    return this.#call(id, "tool-not-in-pack", { tool: "none" });
  }

  noJson(id) {
    return this.#call(id, "malformed-message", { body: "{" });
  }

  late(id) {
    return this.#call(id, "deadline-exceeded", { tool: "waits", timeoutMs: 15 });
  }

  lateAndDeaf(id) {
    return this.#call(id, "deadline-exceeded", { tool: "deaf", input: { ms: 40 }, timeoutMs: 15 });
  }

  badToken(id) {
    return this.#call(id, 401, { tool: "echo", headers: { "kindgi-pack-token": "wrong" } });
  }

  oversized(id) {
    const headers = { "content-length": OVERSIZED_BYTES };
    return this.#call(id, 413, { body: "{", headers, isFresh: true, leavesOpen: true });
  }

  async oversizedInChunks(id) {
    const headers = { "transfer-encoding": "chunked" };
    return this.#call(id, 413, { body: oversizedChunks, headers, isFresh: true });
  }

  /** Goes away when the handler runs. */
  async abandoned(id) {
    const entered = new Promise((resolve) => this.#entered.set(id, resolve));
    const sent = this.#send(id, { tool: "waits" });
    const answer = await Promise.race([sent.answer, entered]).catch((error) => ({ error }));
    this.#entered.delete(id);
    if (answer?.error) return this.#ledger.failed(id, answer.error);
    if (answer) return this.#settle(id, answer, "cancelled");
    sent.answer.catch(() => {});
    sent.outgoing.destroy();
    this.#ledger.abandoned(id);
  }

  /** Goes away when half of the body is sent. */
  async cutOff(id) {
    const body = messageText(id, "echo", { text: "half" });
    const headers = { "content-length": body.length };
    const sent = this.#send(id, {
      body: body.slice(0, -20),
      headers,
      isFresh: true,
      leavesOpen: true,
    });
    sent.answer.catch(() => {});
    await new Promise((resolve) => sent.outgoing.write("", resolve));
    sent.outgoing.destroy();
    this.#ledger.cutOff(id);
  }

  /** The output of the tool that measures the service, which holds a connection for it alone. */
  async measure(id) {
    kept.destroy();
    const answer = await this.#send(id, { tool: "memory" }).answer;
    this.#settle(id, answer, "ok");
    return JSON.parse(answer.text).output;
  }

  async #call(id, expected, options) {
    try {
      this.#settle(id, await this.#send(id, options).answer, expected);
    } catch (error) {
      this.#ledger.failed(id, error);
    }
  }

  #settle(id, { status, text }, expected) {
    if (status !== 200) return this.#ledger.refused(id, status, expected);
    const { kind, code, output } = JSON.parse(text);
    // An answer that is another call's shows here.
    if (output?.id !== undefined && output.id !== id) {
      return this.#ledger.failed(id, new Error(`it got the answer of ${output.id}`));
    }
    this.#ledger.answered(id, kind === "error" ? code : "ok", expected);
  }

  #send(id, { tool, input, body = messageText(id, tool, input), timeoutMs, ...options }) {
    this.#ledger.open(id);
    const { headers = {}, isFresh = id.endsWith("7"), leavesOpen = false } = options;
    const outgoing = request({
      host: "127.0.0.1",
      port: this.port,
      path: "/v1/invoke",
      method: "POST",
      agent: isFresh ? false : kept,
      timeout: MAX_WAIT_MS,
      headers: {
        "content-type": "application/json",
        "kindgi-pack-token": TOKEN,
        "kindgi-request-id": id,
        ...(timeoutMs && { "kindgi-timeout-ms": timeoutMs }),
        ...headers,
      },
    });
    const answer = receive(outgoing, leavesOpen);
    if (typeof body === "function") void body(outgoing);
    else if (leavesOpen) outgoing.write(body);
    else outgoing.end(body);
    return { outgoing, answer };
  }
}

function receive(outgoing, leavesOpen) {
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("timeout", () => outgoing.destroy(new Error("nothing came in time")));
    outgoing.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("error", reject);
      response.on("data", (data) => {
        text += data;
        if (leavesOpen && text.endsWith("}")) outgoing.destroy();
      });
      response.on("close", () => resolve({ status: response.statusCode, text }));
    });
  });
}

function messageText(id, tool, input = {}) {
  const ctx = { tenantId: "soak", runId: "soak", requestId: id };
  return JSON.stringify({ v: 2, kind: "invoke", tool: { id: tool }, input, ctx });
}

async function oversizedChunks(outgoing) {
  for (let sent = 0; sent < OVERSIZED_BYTES && !outgoing.destroyed; sent += CHUNK.length) {
    if (outgoing.write(CHUNK)) continue;
    await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing) {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off("drain", settle).off("close", settle);
      resolve();
    };
    outgoing.on("drain", settle).on("close", settle);
  });
}
