import { setTimeout as sleep } from "node:timers/promises";
import { stopChild } from "./lib/child.mjs";
import { residentBytes } from "./lib/process-figures.mjs";
import { Caller } from "./soak-caller.mjs";
import { Ledger, MAX_PROBLEMS } from "./soak-ledger.mjs";
import { startService } from "./soak-service.mjs";

const SAMPLES = 15;
/** Until then, the runtime still compiles, and its heap grows with the code. */
const WARM_UP_SHARE = 1 / 3;
const WARM_UP_CALLS = 20_000;
const SETTLE_LIMIT_MS = 10_000;
/** Longer than any call's own limits: only a caller that would wait for ever reaches it. */
const CALL_LIMIT_MS = 40_000;
/** How much longer than asked for a run may take, boot and samples included, before it has failed. */
const OVERRUN_MS = 300_000;
/** More than the 32 slots, so that some calls are refused as overloaded. */
export const CALLERS = 40;

/** Each kind of call, as often as its number says. */
const MIX = {
  ok: 60,
  throws: 8,
  wrongOutput: 4,
  wrongInput: 6,
  unknownTool: 2,
  noJson: 2,
  late: 4,
  lateAndDeaf: 2,
  badToken: 4,
  oversized: 2,
  abandoned: 4,
  cutOff: 2,
};
const kinds = Object.entries(MIX).flatMap(([kind, count]) => Array(count).fill(kind));
/** A body that is sent in full to be refused costs as much as a thousand calls. */
const LARGE_EVERY = 5_000;

/**
 * Runs the soak against a service of its own for so many seconds. `onProgress` is told how far it is. Ends within the
 * time asked for and a fixed overrun, or rejects and says what has been waited for.
 */
export async function runSoak({ runtime, binary, seconds, onProgress }) {
  const soak = new Soak(seconds * 1_000, onProgress);
  try {
    return await Promise.race([soak.run({ runtime, binary }), soak.overrun()]);
  } finally {
    await soak.stop();
  }
}

class Soak {
  #runMs;
  #onProgress;
  #ledger = new Ledger();
  #caller = new Caller(this.#ledger);
  #service;
  #calls = 0;
  #doing = "the boot";
  #isOver = false;
  #timer;
  #startedAt = performance.now();

  constructor(runMs, onProgress) {
    this.#runMs = runMs;
    this.#onProgress = onProgress;
  }

  async run(host) {
    this.#service = await startService(host, (record) => this.#caller.onRecord(record));
    const { child, port, foreign } = this.#service;
    this.#caller.port = port;
    await this.#callAll("the warm-up", this.#runMs * WARM_UP_SHARE, WARM_UP_CALLS);
    const start = performance.now();
    const samples = [];
    for (let index = 1; index <= SAMPLES; index++) {
      const end = start + (this.#runMs * (1 - WARM_UP_SHARE) * index) / SAMPLES;
      await this.#callAll(`round ${index} of ${SAMPLES}`, end - performance.now());
      samples.push(await this.#sample(child.pid));
    }
    this.#doing = "the end of the service";
    await stopChild(child);
    await this.#settle();
    return { ledger: this.#ledger, samples, foreign, exit: child.exitCode ?? child.signalCode };
  }

  /** Rejects when the time is over, or the service ends by itself. */
  overrun() {
    const limitMs = this.#runMs + OVERRUN_MS;
    return new Promise((_, reject) => {
      this.#timer = setTimeout(
        () => reject(this.#failure(`not over after ${limitMs / 1_000} s`)),
        limitMs,
      );
    });
  }

  async stop() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#caller.close();
    if (this.#service) await stopChild(this.#service.child);
  }

  /** Keeps every caller calling for so long and so often, and waits for the last answers and records. */
  async #callAll(doing, ms, calls = 0) {
    this.#doing = doing;
    const end = performance.now() + ms;
    const isOver = () => this.#isOver || (performance.now() >= end && this.#calls >= calls);
    await Promise.all(Array.from({ length: CALLERS }, () => this.#callUntil(isOver)));
    await this.#settle();
    const { unfinished, problems } = this.#ledger;
    const elapsed = ((performance.now() - this.#startedAt) / 1_000).toFixed(0);
    this.#onProgress(
      `${elapsed} s: ${doing} is over, ${this.#calls} calls, ${unfinished.length} unfinished, ${problems.length} wrong`,
    );
  }

  async #callUntil(isOver) {
    while (!isOver()) {
      const { child } = this.#service;
      const exit = child.exitCode ?? child.signalCode;
      if (exit !== null) throw this.#failure(`the service has ended with ${exit}`);
      if (this.#ledger.problems.length >= MAX_PROBLEMS) throw this.#failure("too much is wrong");
      const id = this.#nextId();
      const kind = this.#calls % LARGE_EVERY === 0 ? "oversizedInChunks" : anyKind();
      await this.#call(kind, id);
    }
  }

  async #call(kind, id) {
    let timer;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, CALL_LIMIT_MS, "late");
    });
    const end = await Promise.race([this.#caller[kind](id), limit]);
    clearTimeout(timer);
    if (end !== "late") return;
    const error = new Error(`its caller (${kind}) still waits after ${CALL_LIMIT_MS} ms`);
    this.#ledger.failed(id, error);
  }

  /** Waits until every call has its answer and its record. */
  async #settle() {
    const end = performance.now() + SETTLE_LIMIT_MS;
    while (this.#ledger.unfinished.length > 0 && performance.now() < end) await sleep(20);
  }

  async #sample(pid) {
    const measured = await this.#caller.measure(this.#nextId()).catch((error) => {
      throw this.#failure(`its heap could not be measured (${error.message})`);
    });
    await this.#settle();
    return { calls: this.#calls, residentBytes: residentBytes(pid), ...measured };
  }

  #nextId() {
    this.#calls += 1;
    return `soak-${this.#calls}`;
  }

  #failure(what) {
    const { unfinished, problems } = this.#ledger;
    const shown = unfinished.slice(0, 10).join(", ");
    const last = [...problems, ...(this.#service?.foreign.slice(-10) ?? [])].join("\n  ");
    return new Error(
      `The soak failed in ${this.#doing}: ${what}; ${unfinished.length} calls unfinished: ${shown}\n  ${last}`,
    );
  }
}

function anyKind() {
  return kinds[Math.floor(Math.random() * kinds.length)];
}
