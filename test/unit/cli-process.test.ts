import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useBuiltCli } from "./built-cli.ts";

const folder = useBuiltCli();
const children: ChildProcessWithoutNullStreams[] = [];

beforeAll(() => {
  const tool = { id: "greet", input: { type: "object" }, output: {}, modulePath: "greet.mjs" };
  const index = {
    v: 1,
    packId: "hello",
    packVersion: "1",
    artifactVersion: "1",
    tools: [tool],
    guardrails: [],
  };
  writeFileSync(join(folder, "index.json"), JSON.stringify(index));
  writeFileSync(join(folder, "greet.mjs"), "export default ({ name }) => `Hello, ${name}!`;");
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

function start(entry: string, args: string[]) {
  const env = { PATH: process.env.PATH, KINDGI_PACK_SERVICE_TOKEN: "test-token", PORT: "0" };
  const child = spawn(process.execPath, [join(folder, entry), ...args], { env });
  children.push(child);
  return child;
}

async function cli(args: string[], stdin = "") {
  const child = start("cli.mjs", args);
  child.stdin.end(stdin);
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code, out, errors };
}

/** Serves the pack and tells where, once it listens. */
async function serve(entry: string, args: string[]) {
  const child = start(entry, [
    ...args,
    "--index",
    join(folder, "index.json"),
    "--host",
    "127.0.0.1",
  ]);
  let errors = "";
  for await (const chunk of child.stderr) {
    errors += chunk;
    const [, port] = /"event":"listening".*"port":(\d+)/.exec(errors) ?? [];
    if (port) return { child, url: `http://127.0.0.1:${port}` };
  }
  throw new Error(`it did not listen: ${errors}`);
}

test.each([
  ["cli.mjs", ["serve"]],
  ["cli.mjs", []],
  ["node.mjs", []],
])("%s %j serves what call and info ask for", async (entry, args) => {
  const { child, url } = await serve(entry, args);
  const called = await cli(["call", url, "greet", "-"], '{"name":"Ada"}');
  expect(called).toMatchObject({ code: 0, errors: "" });
  expect(JSON.parse(called.out)).toMatchObject({ ok: true, output: "Hello, Ada!" });
  const wrong = await cli(["call", url, "greet", "1"]);
  expect([wrong.code, JSON.parse(wrong.out).issues]).toMatchObject([3, [{ instancePath: "" }]]);
  const info = await cli(["info", url]);
  expect([info.code, JSON.parse(info.out).packId]).toEqual([0, "hello"]);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await cli(["info", url])).toMatchObject({ code: 6, errors: "" });
});

test("an unknown command ends with 2", async () => {
  expect(await cli(["x"])).toMatchObject({ code: 2, out: "" });
});
