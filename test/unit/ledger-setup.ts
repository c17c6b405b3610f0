import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import type { CallContext } from "../../examples/ledger/lib/context.mjs";
import { inputZod, recordExpense } from "../../examples/ledger/tools/record-expense.mjs";

export interface LedgerFile {
  readonly path: string;
  /** The file's bytes as text. */
  text(): Promise<string>;
  write(text: string): Promise<void>;
  /** Every name in the file's folder. */
  siblings(): Promise<string[]>;
}

/** Gives each test of a file its own empty ledger. */
export function useLedgerFile(): LedgerFile {
  let folder = "";
  const path = () => join(folder, "ledger.json");
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "ledger-"));
    vi.stubEnv("LEDGER_FILE", path());
    vi.stubEnv("LEDGER_BASE_CURRENCY", undefined);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  return {
    get path() {
      return path();
    },
    text: () => readFile(path(), "utf8"),
    write: (text) => writeFile(path(), text),
    siblings: () => readdir(folder),
  };
}

export function context(members: Partial<CallContext> = {}): CallContext {
  return { tenantId: "acme", abortSignal: new AbortController().signal, ...members };
}

/** Records as a service would: through the tool's own model. */
export function record(input: Record<string, unknown>, members: Partial<CallContext> = {}) {
  const expense = { vendor: "Blue Bottle", amount: "4.50", date: "2026-11-02", ...input };
  return recordExpense(inputZod.parse(expense), context(members));
}
