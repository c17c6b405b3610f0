import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { launchDev, layTools, output, startDev, untilGone } from "./dev-process.ts";

const SERVICE = fileURLToPath(new URL("pack_service.py", import.meta.url));
const python = findPython();
if (!python)
  console.log("There is no python3: what dev does with a service in Python is left out.");

/** The interpreter itself, which a version manager's stand-in would only start. */
function findPython(): string | undefined {
  try {
    const args = ["-c", "import sys; print(sys.executable)"];
    return execFileSync("python3", args, { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}

interface Answer {
  version: string;
  pid: number;
}

describe.skipIf(!python)("another service of the protocol", () => {
  test.each([
    ["that says when it listens", { SAYS_LISTENING: "1" }],
    ["that must be asked", {}],
  ])("%s is served, replaced and ended", async (_name, env) => {
    const pack = layTools({});
    pack.write("version.txt", "1");
    const dev = await startDev([pack.folder, "--command", `"${python}" "${SERVICE}"`], env);
    const first = (await output(dev, "version")) as Answer;
    expect(first.version).toBe("1");
    pack.write("version.txt", "2");
    await dev.reloads(1);
    const second = (await output(dev, "version")) as Answer;
    expect(second.version).toBe("2");
    await untilGone(first.pid);
    pack.write("version.txt", "broken");
    const { problems } = await dev.records.event("reload-failed");
    expect(problems).toEqual(["the version is broken"]);
    expect(await output(dev, "version")).toEqual(second);
    dev.kill("SIGTERM");
    expect(await dev.exited).toEqual({ code: 0, signal: null });
    await untilGone(second.pid);
    expect(dev.stdout().match(/^starting$/gm)).toHaveLength(2);
  });

  test("started by a shell that stays ends with dev, killed or not", async () => {
    const pack = layTools({});
    pack.write("version.txt", "1");
    const script = `"${python}" "${SERVICE}" "$@"; exit $?`;
    const command = `/bin/sh -c '${script}' sh`;
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const dev = await startDev([pack.folder, "--command", command]);
      const { pid } = (await output(dev, "version")) as Answer;
      dev.kill(signal);
      await dev.exited;
      await untilGone(pid);
    }
  });
});

test("a command that there isn't is told", async () => {
  const pack = layTools({});
  const dev = launchDev([pack.folder, "--command", "no-such-command-here"]);
  const { problems } = await dev.records.event("reload-failed");
  expect(problems).toEqual(["The service ended with exit code 127 before it listened"]);
  expect(dev.stderr()).toContain("no-such-command-here: not found");
});
