// Peak memory with as many calls as the service takes at once, each of the largest body.
import { burst, HOLD } from "./lib/burst.mjs";
import { readOptions } from "./lib/options.mjs";
import { prepare } from "./lib/prepare.mjs";
import { print, printTable, spreadText } from "./lib/print.mjs";
import { peakResidentBytes, residentBytes } from "./lib/process-figures.mjs";
import { environment, saveResults } from "./lib/results.mjs";
import { untilIdle, withServer } from "./lib/server.mjs";
import { summarizeMembers } from "./lib/statistics.mjs";
import { interleave, variants } from "./lib/variants.mjs";
import { workload } from "./lib/workloads.mjs";

const MEBIBYTE = 1_048_576;
const TASKS = [
  { name: "in:10MiB", hold: HOLD.body },
  { name: "out:10MiB", hold: HOLD.answer },
];

const options = readOptions({ rounds: 3, calls: 32 });
const { runtime, rounds, calls } = options;

function measure(command, { body, hold, heldBytes }) {
  return withServer(command, async ({ port, pid }) => {
    await untilIdle(pid);
    const idleBytes = residentBytes(pid);
    await burst({ port, body, count: calls, hold, untilHeld: () => untilIdle(pid) });
    const peakBytes = peakResidentBytes(pid);
    return {
      idleMiB: idleBytes / MEBIBYTE,
      peakMiB: peakBytes / MEBIBYTE,
      peakPerBody: peakBytes / heldBytes,
    };
  });
}

function report(name, byVariant) {
  print(`\n${runtime}, ${calls} × ${name} at once, ${rounds} rounds`);
  const rows = Object.entries(byVariant).map(([variant, { idleMiB, peakMiB, peakPerBody }]) => [
    variant,
    spreadText(idleMiB),
    spreadText(peakMiB),
    spreadText(peakPerBody),
  ]);
  printTable(["", "idle MiB", "peak MiB", "peak ÷ sum of bodies"], rows);
}

const host = { runtime, binary: await prepare(runtime) };
for (const { name, hold } of TASKS) {
  const { tool, body: text, answer } = workload(name);
  const body = Buffer.from(text);
  const large = hold === HOLD.body ? body.length : JSON.stringify(answer).length;
  const measured = await interleave(variants(host, tool), rounds, (command) =>
    measure(command, { body, hold, heldBytes: large * calls }),
  );
  const byVariant = Object.fromEntries(
    [...measured].map(([variant, figures]) => [variant, summarizeMembers(figures)]),
  );
  report(name, byVariant);
  const entry = {
    environment: environment(host),
    parameters: { rounds, calls },
    variants: byVariant,
  };
  saveResults(options, "memory", { [name]: entry });
}
