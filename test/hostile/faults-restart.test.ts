import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPackClient, isPackClientError } from "../../src/client.ts";
import type { PackClient } from "../../src/client.ts";
import { indexOf, tool } from "../contract/packs.ts";
import { TOKEN } from "../contract/target.ts";
import { freePort, nextContext, RUNTIMES, startFaulty } from "./faults-service.ts";
import type { FaultyService } from "./faults-service.ts";

/** What a caller was told of a call. */
type Told = "answered" | "may have run" | "did not run";

/** A tool that notes each run in a file, which a SIGKILL doesn't take back, and then takes a moment. */
function layRuns() {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "runs");
  writeFileSync(path, "");
  const text = `import { appendFileSync } from "node:fs";
    export default async ({ ms }, { requestId }) => {
      appendFileSync(${JSON.stringify(path)}, requestId + "\\n");
      await new Promise((resolve) => setTimeout(resolve, ms));
      return requestId;
    };`;
  const pack = {
    index: indexOf({ tools: [tool("runs", "runs.mjs")] }),
    files: { "runs.mjs": text },
  };
  return { pack, readIds: () => readFileSync(path, "utf8").split("\n").filter(Boolean) };
}

/** Callers who call without a pause until they are told to stop. */
class Load {
  readonly told = new Map<string, Told>();
  retries = 0;
  #isOver = false;
  readonly #client: PackClient;
  readonly #callers: Promise<void>[];

  constructor(port: number, callers: number) {
    this.#client = createPackClient({
      url: `http://127.0.0.1:${port}`,
      token: TOKEN,
      onRetry: () => {
        this.retries += 1;
      },
    });
    this.#callers = Array.from({ length: callers }, (_, caller) => this.#run(caller % 4));
  }

  async untilAnswered(count: number): Promise<void> {
    const answered = () => [...this.told.values()].filter((told) => told === "answered").length;
    for (const end = answered() + count; answered() < end;) await sleep(5);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #run(quickness: number): Promise<void> {
    while (!this.#isOver) {
      const ctx = nextContext();
      const told = await this.#call(ctx, quickness * 5);
      this.told.set(ctx.requestId, told);
      if (told === "may have run") await sleep(5);
    }
  }

  async #call(ctx: ReturnType<typeof nextContext>, ms: number): Promise<Told> {
    try {
      const outcome = await this.#client.invoke("runs", { ms }, { ctx, timeoutMs: 20_000 });
      expect(outcome).toMatchObject({ ok: true, output: ctx.requestId });
      return "answered";
    } catch (error) {
      if (!isPackClientError(error)) throw error;
      expect(["unavailable", "network-failed"]).toContain(error.code);
      return error.code === "unavailable" ? "did not run" : "may have run";
    }
  }
}

function countRuns(ids: readonly string[]): Map<string, number> {
  const runs = new Map<string, number>();
  for (const id of ids) runs.set(id, (runs.get(id) ?? 0) + 1);
  return runs;
}

/** Whether each call ran as often as its caller was told, by the ids on both sides. */
function expectTold(told: ReadonlyMap<string, Told>, ids: readonly string[]): void {
  const runs = countRuns(ids);
  const wrong = [...told].filter(([id, what]) => {
    const count = runs.get(id) ?? 0;
    if (what === "answered") return count !== 1;
    return what === "may have run" ? count > 1 : count > 0;
  });
  expect(wrong).toEqual([]);
  expect([...runs.keys()].filter((id) => !told.has(id))).toEqual([]);
}

describe.each(RUNTIMES)("restarts under load, %s", (runtime) => {
  test("after SIGKILLs, every call ran once and was answered, or its caller knows that it may have run", async () => {
    const { pack, readIds } = layRuns();
    const PORT = String(await freePort());
    const start = () => startFaulty(runtime, { pack, env: { PORT } });
    let service: FaultyService = await start();
    const load = new Load(Number(PORT), 120);
    for (let kills = 0; kills < 4; kills++) {
      await load.untilAnswered(200);
      service.kill("SIGKILL");
      expect(await service.exited).toMatchObject({ signal: "SIGKILL" });
      service = await start();
    }
    await load.untilAnswered(200);
    await load.stop();
    expectTold(load.told, readIds());
    // 120 callers are more than the 32 slots: some were refused, and tried again.
    expect(load.retries).toBeGreaterThan(0);
    service.kill("SIGTERM");
    await service.exited;
  });

  test("a SIGTERM under load loses no call: what ran was answered", async () => {
    const { pack, readIds } = layRuns();
    const PORT = String(await freePort());
    const start = () => startFaulty(runtime, { pack, env: { PORT } });
    let service: FaultyService = await start();
    const load = new Load(Number(PORT), 120);
    for (let stops = 0; stops < 4; stops++) {
      await load.untilAnswered(200);
      service.kill("SIGTERM");
      expect(await service.exited).toEqual({ code: 0, signal: null });
      service = await start();
    }
    await load.untilAnswered(200);
    await load.stop();
    const ids = readIds();
    expectTold(load.told, ids);
    expect(ids.filter((id) => load.told.get(id) !== "answered")).toEqual([]);
    service.kill("SIGTERM");
    await service.exited;
  });
});
