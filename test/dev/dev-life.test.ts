import { describe, expect, test } from "vitest";
import { isPackClientError } from "../../src/client.ts";
import { TOKEN } from "../contract/target.ts";
import { ctx, isDeath, layTools, output, startDev, untilGone } from "./dev-process.ts";

const PID = "export default () => process.pid;";
const KILL = `export default () => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
};`;
const HOLD = `export default async ({ ms }, { log, abortSignal }) => {
  log.info("holding");
  abortSignal.addEventListener("abort", () => log.info("let go"));
  await new Promise((resolve) => globalThis.setTimeout(resolve, ms));
  return "held";
};`;

/** The code of the error that a call is rejected with. */
function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => (isPackClientError(error) ? error.code : error),
  );
}

describe("a service that dies", () => {
  test("answers the call under way, and is started again after a delay that grows", async () => {
    const pack = layTools({ pid: PID, kill: KILL });
    const dev = await startDev([pack.folder]);
    const pids = [await output(dev, "pid")];
    for (let deaths = 1; deaths <= 2; deaths++) {
      expect(await errorOf(output(dev, "kill"))).toBe("service-failed");
      await dev.deaths(deaths);
      // The client tries again while it is refused by a 503 with Retry-After.
      pids.push(await output(dev, "pid"));
    }
    expect(new Set(pids).size).toBe(3);
    const deaths = dev.records.all.filter(isDeath);
    expect(deaths).toMatchObject([
      { signal: "SIGKILL", restartMs: 250 },
      { signal: "SIGKILL", restartMs: 500 },
    ]);
  });

  test("is answered for: not ready, again later, and healthy", async () => {
    const endless = "await new Promise((resolve) => globalThis.setTimeout(resolve, 1e9));";
    const pack = layTools({ kill: KILL });
    const dev = await startDev([pack.folder]);
    // What starts next never comes to listen.
    pack.write("kill.mjs", `${endless}${KILL}`);
    await errorOf(output(dev, "kill"));
    await dev.deaths(1);
    const headers = { "kindgi-pack-token": TOKEN, "content-type": "application/json" };
    const request = { method: "POST", headers, body: "{}" };
    const answer = await fetch(`${dev.url}/v1/invoke`, request);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toEqual({ error: "not ready" });
    expect((await fetch(`${dev.url}/readyz`)).status).toBe(503);
    const health = await fetch(`${dev.url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  });

  test("is started at once by a change", async () => {
    const pack = layTools({ pid: PID, kill: KILL });
    const dev = await startDev([pack.folder]);
    await errorOf(output(dev, "kill"));
    await dev.deaths(1);
    pack.write("pid.mjs", "export default () => 'mended';");
    await dev.reloads(1);
    expect(await output(dev, "pid")).toBe("mended");
  });
});

describe("the end of dev", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("by %s lets calls finish", async (signal) => {
    const pack = layTools({ pid: PID, hold: HOLD });
    const dev = await startDev([pack.folder]);
    const pid = (await output(dev, "pid")) as number;
    const call = output(dev, "hold", { ms: 800 });
    await dev.records.waitFor("the call's start", ({ message }) => message === "holding");
    dev.kill(signal);
    expect(await call).toBe("held");
    expect(await dev.exited).toEqual({ code: 0, signal: null });
    await untilGone(pid);
    expect(dev.records.all.at(-1)).toMatchObject({ event: "stopped" });
  });

  test("by a second SIGINT is at once", async () => {
    const pack = layTools({ pid: PID, hold: HOLD });
    const dev = await startDev([pack.folder]);
    const pid = (await output(dev, "pid")) as number;
    const call = errorOf(output(dev, "hold", { ms: 60_000 }));
    await dev.records.waitFor("the call's start", ({ message }) => message === "holding");
    const again = setInterval(() => dev.kill("SIGINT"), 400);
    expect(await dev.exited).toEqual({ code: 130, signal: null });
    clearInterval(again);
    await untilGone(pid);
    expect(["service-failed", "network-failed"]).toContain(await call);
  });

  test("by SIGKILL leaves no service behind", async () => {
    const pack = layTools({ pid: PID });
    const dev = await startDev([pack.folder]);
    const pid = (await output(dev, "pid")) as number;
    dev.kill("SIGKILL");
    await dev.exited;
    await untilGone(pid);
  });

  test("by SIGKILL during a boot neither", async () => {
    const pack = layTools({ pid: PID });
    const dev = await startDev([pack.folder]);
    pack.write("pid.mjs", `console.log("pid", process.pid); await new Promise(() => {});`);
    let pid = Number.NaN;
    while (Number.isNaN(pid)) {
      pid = Number(/^pid (\d+)$/m.exec(dev.stdout())?.[1]);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    dev.kill("SIGKILL");
    await untilGone(pid);
  });

  test("before it listens: a taken port ends with 1 and says so", async () => {
    const pack = layTools({ pid: PID });
    const dev = await startDev([pack.folder]);
    const { port } = new URL(dev.url);
    await expect(startDev([pack.folder, "--port", port])).rejects.toThrow("EADDRINUSE");
  });
});

test("a disconnect cancels the call in the service", async () => {
  const pack = layTools({ hold: HOLD });
  const dev = await startDev([pack.folder]);
  const caller = new AbortController();
  const call = dev.client.invoke("hold", { ms: 30_000 }, { ctx, signal: caller.signal });
  call.catch(() => {});
  await dev.records.waitFor("the call's start", ({ message }) => message === "holding");
  caller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  await dev.records.waitFor("the call's end", ({ message }) => message === "let go");
  await dev.records.event("call", ({ outcome }) => outcome === "cancelled");
});
