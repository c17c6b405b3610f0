export const MEBIBYTE = 1_048_576;
export const MILLION = 1_000_000;
/** 1 MiB for a million calls. */
const MAX_BYTES_PER_CALL = MEBIBYTE / MILLION;
/** What two heaps differ by after the same collections; in a short run it is more than a million calls may leave. */
const NOISE_BYTES = 1_048_576;

/** What must hold after a soak, what was found, and whether it does. */
export function checkSoak({ ledger, samples, foreign, exit }) {
  const growth = growthOf(samples);
  const noise = growth.calls < MILLION ? NOISE_BYTES : 0;
  const limit = growth.calls * MAX_BYTES_PER_CALL + noise;
  const unfinished = ledger.unfinished.length;
  const wrong = ledger.problems.length;
  return [
    {
      what: "one answer and one record for each call",
      holds: unfinished === 0 && wrong === 0,
      found: `${unfinished} unfinished, ${wrong} wrong`,
    },
    {
      what: `heap growth over ${growth.calls} calls, KiB (at most ${kibibytes(limit)})`,
      holds: growth.bytes <= limit,
      found: kibibytes(growth.bytes),
    },
    { what: "listeners left", holds: growth.listeners <= 0, found: growth.listeners },
    { what: "timers left", holds: growth.timers <= 0, found: growth.timers },
    {
      what: "lines on stderr that are no record",
      holds: foreign.length === 0,
      found: foreign.length,
    },
    { what: "exit code after SIGTERM", holds: exit === 0, found: exit },
  ];
}

/**
 * What has grown from the first third of the samples to the last, each at its least, and over how many calls. What is
 * kept for good raises the least, too; what comes and goes doesn't. Of the heap it is twice the lesser of the two steps
 * from third to third: what calls leave comes with both, what the runtime compiled once its calls got faster with one.
 */
export function growthOf(samples) {
  const third = Math.floor(samples.length / 3);
  const thirds = [samples.slice(0, third), samples.slice(third, -third), samples.slice(-third)];
  const [early, , late] = thirds;
  const least = (read) => thirds.map((part) => Math.min(...part.map(read)));
  const growth = (read) => least(read)[2] - least(read)[0];
  const [first, second, last] = least(({ heapBytes }) => heapBytes);
  return {
    bytes: 2 * Math.min(second - first, last - second),
    timers: growth(({ waiting }) => waiting.timers ?? 0),
    listeners: growth(({ listeners }) => listeners),
    calls: middle(late).calls - middle(early).calls,
  };
}

function middle(samples) {
  return samples[Math.floor(samples.length / 2)];
}

function kibibytes(bytes) {
  return (bytes / 1_024).toFixed(0);
}
