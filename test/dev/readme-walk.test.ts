import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireRuntime } from "../runtimes/runtimes.ts";
import { startRegistry } from "./loopback-registry.ts";
import type { LoopbackRegistry } from "./loopback-registry.ts";
import { hasTerminals, openTerminal } from "./terminal.ts";

if (!hasTerminals) console.log('There is no "script" of util-linux: the README is not walked.');

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

interface Section {
  prose: string;
  /** The commands of each block. */
  commands: string[][];
  /** What the README says that they print. */
  outputs: string[];
}

/** What stands below a heading, down to the next one. */
function section(heading: string): Section {
  const [, after] = readme.split(`\n${heading}\n`);
  const [prose] = after?.split(/\n#+ /) ?? [];
  if (prose === undefined) throw new Error(`The README has no "${heading}"`);
  const blocks = (language: string) =>
    [...prose.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
      ([, code = ""]) => code,
    );
  const commands = blocks("sh").map((code) => code.trim().split("\n"));
  return { prose, commands, outputs: blocks("text") };
}

/** Without what is another every time. */
function lasting(text: string): string {
  return text
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, "TIME")
    .replaceAll(/\b\d{8}\.(\d+)/g, "DATE.$1")
    .replaceAll(/\b\d+ ms/g, "MS ms")
    .replaceAll(/bootMs=\d+/g, "bootMs=MS")
    .replaceAll(/port([ =])\d+/g, "port$1PORT");
}

describe.skipIf(!hasTerminals)("the README's walk", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-walk-"));
  let registry: LoopbackRegistry;
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    registry = await startRegistry();
    env = {
      PATH: [dirname(requireRuntime("node24")), process.env.PATH].join(delimiter),
      HOME: folder,
      PORT: "0",
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, "cache"),
      npm_config_yes: "true",
      npm_config_audit: "false",
      npm_config_update_notifier: "false",
    };
  }, 60_000);

  afterAll(() => {
    registry?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (command: string, cwd: string) => openTerminal(command, { cwd, env });

  async function run(command: string, cwd: string, code = 0): Promise<string> {
    const terminal = start(command, cwd);
    expect([await terminal.exited, terminal.text()]).toEqual([code, expect.any(String)]);
    return terminal.text();
  }

  /** Makes the change that the README tells of. */
  function change(prose: string, files: readonly string[]): void {
    const [, from = "", to = ""] = /from `"(.+?)"`\s+to\s+`"(.+?)"`/.exec(prose) ?? [];
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      expect(text).toContain(from);
      writeFileSync(file, text.replaceAll(from, to));
    }
  }

  /** Changes the greeting, calls the tool, and asks for what is printed on the way. */
  async function changeAndServe(pack: string): Promise<void> {
    const { prose, commands, outputs } = section("## From an empty folder");
    const [, [check = ""] = [], [index = "", serve = ""] = [], [call = ""] = []] = commands;
    const [, outOfDate = "", indexed = "", answered = ""] = outputs;
    await run("npm test", pack);
    change(prose, [join(pack, "tools/greet.ts"), join(pack, "test/pack.test.ts")]);
    expect(lasting(await run(check, pack, 1))).toBe(lasting(outOfDate));
    expect(lasting(await run(index, pack))).toBe(lasting(indexed));
    await run("npm test", pack);
    const service = start(serve, pack);
    const [, port = ""] = await service.until(/port=(\d+)/);
    expect(lasting(await run(call.replace("8080", port), pack))).toBe(lasting(answered));
    service.interrupt();
    await service.until(/Stopped\n/);
  }

  async function changeWhileItRuns(pack: string): Promise<void> {
    const { prose, commands, outputs } = section("### Develop");
    const [[dev = ""] = []] = commands;
    const [served = ""] = outputs;
    const terminal = start(dev, pack);
    await terminal.until(/Serving hello .*\n/);
    change(prose, [join(pack, "tools/greet.ts")]);
    await terminal.until(/Serving the changed hello .*\n/);
    expect(lasting(terminal.text())).toContain(lasting(served));
    terminal.interrupt();
    await terminal.until(/Stopped\n/);
  }

  async function writeOpenApi(pack: string): Promise<void> {
    const [[openapi = ""] = []] = section("### Read it as OpenAPI").commands;
    await run(openapi, pack);
    expect(JSON.parse(readFileSync(join(pack, "openapi.json"), "utf8")).openapi).toMatch(/^3\.1/);
  }

  test("prints what the README says, from an empty folder to a change while it runs", async () => {
    const { commands, outputs } = section("## From an empty folder");
    const [[init = ""] = []] = commands;
    expect(await run(init, folder)).toContain(outputs[0]);
    const again = join(folder, "again/hello");
    cpSync(join(folder, "hello"), again, { recursive: true, verbatimSymlinks: true });
    await Promise.all([
      changeAndServe(join(folder, "hello")),
      writeOpenApi(again).then(() => changeWhileItRuns(again)),
    ]);
  }, 120_000);
});
