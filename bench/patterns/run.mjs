// Times the patterns in this process; started by patterns.mjs, as one bundle, on each runtime.
import process from "node:process";
import { measure } from "mitata";
import { linearTest } from "../../src/schema/linear-matcher.ts";
import { Patterns } from "../../src/schema/pattern.ts";
import { parsePattern } from "../../src/schema/pattern-tree.ts";
import { GROUPS } from "./patterns.ts";

const patterns = new Patterns();

/** Nanoseconds of a test, median, of the runtime's engine, the automaton alone, and what the service does. */
async function time({ source, texts, nativeUpTo }) {
  const native = new RegExp(source, "u");
  const linear = linearTest(parsePattern(source, true), "u");
  const pattern = patterns.get(source);
  const rows = [];
  for (const text of texts) {
    const isNative = text.length <= nativeUpTo;
    rows.push({
      length: text.length,
      native: isNative ? await nanoseconds(() => native.test(text)) : undefined,
      ours: await nanoseconds(() => pattern.test(text)),
      automaton: await nanoseconds(() => linear(text)),
    });
  }
  return { source, rows };
}

async function nanoseconds(test) {
  const { p50 } = await measure(test, { min_cpu_time: 20e6, min_samples: 3 });
  return p50;
}

const figures = {};
for (const [group, timed] of Object.entries(GROUPS)) {
  figures[group] = [];
  for (const one of timed) figures[group].push(await time(one));
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
