import process from "node:process";

interface DenoExit {
  exitCode: number;
}

/**
 * Calls a listener when the process ends, by whoever's will. Only what is done at once is done. The listener returns the code
 * to exit with.
 */
export function onProcessExit(listener: (code: number) => number): void {
  const { Deno: deno } = globalThis as { Deno?: DenoExit };
  if (deno === undefined) {
    process.on("exit", (code) => {
      process.exitCode = listener(code);
    });
    return;
  }
  // Deno.exit passes the event of process by.
  globalThis.addEventListener("unload", () => {
    deno.exitCode = listener(deno.exitCode);
  });
}
