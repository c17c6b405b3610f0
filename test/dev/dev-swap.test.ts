import { describe, expect, test } from "vitest";
import { TOKEN } from "../contract/target.ts";
import { isReload, layTools, output, startDev, untilGone } from "./dev-process.ts";

const versioned = (version: number) => `export default () => ${version};`;
const PID = "export default () => process.pid;";

describe("a changed pack", () => {
  test("takes over 20 times under load, and no call is dropped", async () => {
    const pack = layTools({ version: versioned(0), pid: PID });
    const dev = await startDev([pack.folder]);
    const over = new AbortController();
    const seen: unknown[] = [];
    const callers = Array.from({ length: 6 }, async () => {
      // A refusal would be tried again by the client, and must not be needed.
      while (!over.signal.aborted) seen.push(await invoke(dev.url, "version"));
    });
    for (let version = 1; version <= 20; version++) {
      pack.write("version.mjs", versioned(version));
      await dev.reloads(version);
      expect(await output(dev, "version")).toBe(version);
    }
    over.abort();
    await Promise.all(callers);
    expect(seen.length).toBeGreaterThan(100);
    expect(seen.filter((one) => typeof one !== "number")).toEqual([]);
    expect(new Set(seen).size).toBeGreaterThan(10);
  }, 180_000);

  test("lets a call under way end in the old code, whose service ends after it", async () => {
    const wait = `export default async (_input, { log }) => {
      const old = process.pid;
      log.info("waiting");
      await new Promise((resolve) => globalThis.setTimeout(resolve, 1_500));
      return old;
    };`;
    const pack = layTools({ wait, pid: PID });
    const dev = await startDev([pack.folder]);
    const before = (await output(dev, "pid")) as number;
    const call = output(dev, "wait");
    await dev.records.waitFor("the call's start", ({ message }) => message === "waiting");
    pack.write("pid.mjs", `${PID}// changed`);
    await dev.reloads(1);
    expect(await output(dev, "pid")).not.toBe(before);
    expect(await call).toBe(before);
    await untilGone(before);
  });

  test("that is broken changes nothing, says why, and may be mended", async () => {
    const pack = layTools({ version: versioned(1) });
    const dev = await startDev([pack.folder]);
    pack.write("version.mjs", "export default ({ ) => 1;");
    const { problems } = await dev.records.event("reload-failed");
    expect(problems).toEqual([
      expect.stringMatching(/^Cannot import version\.mjs: .*:1:\d+: export default \({ \) => 1;$/),
    ]);
    expect(await output(dev, "version")).toBe(1);
    pack.write("version.mjs", versioned(2));
    await dev.reloads(1);
    expect(await output(dev, "version")).toBe(2);
  });

  test("whose index is broken says so, too", async () => {
    const pack = layTools({ version: versioned(1) });
    const dev = await startDev([pack.folder]);
    pack.write("index.json", "{");
    const { problems } = await dev.records.event("reload-failed");
    expect(problems).toEqual([expect.stringContaining("Cannot read the pack index")]);
    expect(await output(dev, "version")).toBe(1);
  });

  test("is indexed anew from its source, the index.json beside it left alone", async () => {
    const pack = layTools({});
    const tool = (id: string) => `export default {
      id: "${id}", input: { type: "object" }, output: {}, handler: () => "${id}" };`;
    pack.write("kindgi.config.json", JSON.stringify({ pack: { id: "made", version: "1" } }));
    pack.write("tools/a.mjs", tool("a"));
    const dev = await startDev([pack.folder]);
    expect(await output(dev, "a")).toBe("a");
    pack.write("tools/b.mjs", tool("a"));
    const { problems } = await dev.records.event("reload-failed");
    expect(problems).toEqual([expect.stringMatching(/^tools\/b\.mjs: /)]);
    pack.write("tools/b.mjs", tool("b"));
    await dev.reloads(1);
    expect(await output(dev, "b")).toBe("b");
    expect((await dev.client.info()).packId).toBe("made");
    expect(pack.read("index.json")).toContain("under-test");
  });

  test("is loaded once after many saves in a burst, with the last of them", async () => {
    const pack = layTools({ version: versioned(0) });
    const dev = await startDev([pack.folder]);
    for (let version = 1; version <= 50; version++) pack.write("version.mjs", versioned(version));
    await dev.reloads(1);
    expect(await output(dev, "version")).toBe(50);
    pack.write("version.mjs", versioned(51));
    await dev.reloads(2);
    expect(await output(dev, "version")).toBe(51);
  });

  test("is not loaded anew for what isn't its source", async () => {
    const pack = layTools({ version: versioned(0) });
    const dev = await startDev([pack.folder, "--ignore", "data/"]);
    for (const file of [
      "node_modules/a/index.js",
      ".git/index",
      "dist/a.js",
      "data/a.json",
      "a~",
    ]) {
      pack.write(file, "{}");
    }
    pack.write("version.mjs", versioned(1));
    await dev.reloads(1);
    expect(await output(dev, "version")).toBe(1);
    expect(dev.records.count(isReload)).toBe(1);
  });
});

async function invoke(url: string, id: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/invoke`, {
    method: "POST",
    headers: { "content-type": "application/json", "kindgi-pack-token": TOKEN },
    body: JSON.stringify({
      v: 2,
      kind: "invoke",
      tool: { id },
      input: {},
      ctx: { tenantId: "t", runId: "r" },
    }),
  });
  const text = await response.text();
  return response.status === 200 ? JSON.parse(text).output : `${response.status} ${text}`;
}
