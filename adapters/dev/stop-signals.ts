import process from "node:process";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** A second Ctrl-C sooner than this, in milliseconds, is the same one, delivered twice. */
const SECOND_INTERRUPT_MS = 300;

/**
 * Waits for a signal to stop, then for what stopping takes. A second Ctrl-C hurries it. Returns whether it was left the time
 * it took.
 */
export async function untilStopped(stop: () => Promise<void>, hurry: () => void): Promise<boolean> {
  let isPatient = true;
  let firstAt: number | undefined;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    firstAt ??= now;
    begin();
    if (signal !== "SIGINT" || now - firstAt < SECOND_INTERRUPT_MS) return;
    isPatient = false;
    hurry();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  await begun;
  await stop();
  for (const signal of SIGNALS) process.off(signal, onSignal);
  return isPatient;
}
