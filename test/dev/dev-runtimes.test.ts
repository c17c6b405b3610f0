import { describe, expect, test } from "vitest";
import { layTools, output, startDev, untilGone } from "./dev-process.ts";

const tool = (version: number) => `export default {
  id: "version", input: { type: "object" }, output: {},
  handler: () => ({ version: ${version}, pid: process.pid, runtime: Object.keys(process.versions) }),
};`;

interface Answer {
  version: number;
  pid: number;
  runtime: string[];
}

describe.each(["bun", "deno"] as const)("dev on %s", (runtime) => {
  test("serves there, takes over a change, tells of a broken one, and ends", async () => {
    const pack = layTools({});
    pack.write("kindgi.config.json", JSON.stringify({ pack: { id: "made", version: "1" } }));
    pack.write("tools/version.mjs", tool(1));
    const dev = await startDev([pack.folder], {}, runtime);
    const first = (await output(dev, "version")) as Answer;
    expect(first).toMatchObject({ version: 1, runtime: expect.arrayContaining([runtime]) });
    pack.write("tools/version.mjs", tool(2));
    await dev.reloads(1);
    const second = (await output(dev, "version")) as Answer;
    expect(second).toMatchObject({ version: 2, runtime: expect.arrayContaining([runtime]) });
    await untilGone(first.pid);
    pack.write("tools/version.mjs", "export default { a: };");
    const { problems } = await dev.records.event("reload-failed");
    expect(problems).toEqual([
      expect.stringMatching(/version\.mjs:1:\d+: export default { a: };$/),
    ]);
    expect(await output(dev, "version")).toEqual(second);
    dev.kill("SIGTERM");
    expect(await dev.exited).toEqual({ code: 0, signal: null });
    await untilGone(second.pid);
  });

  test("ends with 1 when the port is taken, and says the way out", async () => {
    const pack = layTools({});
    const { url } = await startDev([pack.folder]);
    const { port } = new URL(url);
    await expect(startDev([pack.folder, "--port", port], {}, runtime)).rejects.toThrow(
      /Cannot listen: .*; --port and --host name another address/,
    );
  });
});
