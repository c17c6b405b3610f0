import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { useLedgerFile } from "./ledger-setup.ts";

/** Imports the build: `npm run build` comes first. */
const START = fileURLToPath(new URL("../../examples/ledger/start.mjs", import.meta.url));

const ledger = useLedgerFile();
const started = new Set<ChildProcessWithoutNullStreams>();

afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  started.clear();
});

describe("npm start", () => {
  test("makes a token and prints a call that works as pasted", async () => {
    const service = start({});
    const text = await service.welcome();
    const answer = await paste(text);
    expect(answer).toMatchObject({ kind: "result", output: { expense: { id: "exp-000001" } } });
    expect(text).toContain(
      `export KINDGI_PACK_SERVICE_TOKEN=${headersIn(text)["kindgi-pack-token"]}`,
    );
    expect(await ledger.siblings()).toEqual(["ledger.json"]);
  });

  test("makes another token each time", async () => {
    const texts = await Promise.all([start({}).welcome(), start({}).welcome()]);
    const [first, second] = texts.map((text) => headersIn(text)["kindgi-pack-token"]);
    expect(first).toMatch(/^[\w-]{32}$/);
    expect(second).not.toBe(first);
  });

  test("takes the token there is, and prints its name alone", async () => {
    const token = "a-token-of-my-own";
    const service = start({ KINDGI_PACK_SERVICE_TOKEN: token });
    const text = await service.welcome();
    expect(text).not.toContain(token);
    expect(headersIn(text)["kindgi-pack-token"]).toBe("$KINDGI_PACK_SERVICE_TOKEN");
    expect(await paste(text.replace("$KINDGI_PACK_SERVICE_TOKEN", token))).toMatchObject({
      kind: "result",
    });
  });

  test.each(["SIGTERM", "SIGINT"] as const)("ends with 0 on %s", async (signal) => {
    const service = start({});
    await service.welcome();
    service.child.kill(signal);
    expect(await service.exitCode).toBe(0);
  });

  test("ends with the service's code, and without a welcome, when it can't be served", async () => {
    const service = start({ PORT: "http" });
    expect(await service.exitCode).toBe(1);
    expect(service.output()).toBe("");
  });
});

function start(env: Record<string, string>) {
  const { KINDGI_PACK_SERVICE_TOKEN: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [START], { env: { ...inherited, PORT: "0", ...env } });
  started.add(child);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  const exitCode = once(child, "close").then(([code]) => code as number | null);
  const ended = exitCode.then((code) => {
    throw new Error(`start.mjs ended with ${code} before its welcome: ${errors}`);
  });
  ended.catch(() => {});
  return {
    child,
    exitCode,
    output: () => output,
    /** All that is printed, once the call's last line is. */
    async welcome() {
      while (!/ -d '.*'\n/.test(output)) await Promise.race([once(child.stdout, "data"), ended]);
      return output;
    },
  };
}

/** Does what the printed curl command does. */
async function paste(text: string): Promise<unknown> {
  const [, url = ""] = /curl -s (\S+)/.exec(text) ?? [];
  const [, body = ""] = / -d '(.*)'\n/.exec(text) ?? [];
  const response = await fetch(url, { method: "POST", headers: headersIn(text), body });
  return response.json();
}

function headersIn(text: string): Record<string, string> {
  const headers = [...text.matchAll(/-H "(\S+): (.*?)"/g)];
  return Object.fromEntries(headers.map(([, name = "", value = ""]) => [name, value]));
}
