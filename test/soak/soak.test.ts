import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const SECONDS = 60;
/** The script has its own limit, which is less. */
const MAX_MS = 480_000;

const script = fileURLToPath(new URL("../../bench/soak.mjs", import.meta.url));

test(
  `${SECONDS} s at the cap on Node: each call has one answer and one record, and nothing is left`,
  async () => {
    const child = spawn(process.execPath, [script, "node", "--seconds", String(SECONDS)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGTERM"));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
        process.stdout.write(chunk);
      });
    }
    const [code] = await once(child, "close");
    expect(code, output).toBe(0);
    expect(output).toMatch(/one answer and one record for each call +0 unfinished, 0 wrong +ok/);
  },
  MAX_MS,
);
