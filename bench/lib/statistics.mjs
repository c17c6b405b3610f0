/** The median of some numbers and how far they spread. */
export function summarize(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
  return { median: round(median), min: round(sorted[0]), max: round(sorted.at(-1)) };
}

/** The summary of each member over equal objects of numbers. */
export function summarizeMembers(objects) {
  const names = Object.keys(objects[0]);
  return Object.fromEntries(
    names.map((name) => [name, summarize(objects.map((object) => object[name]))]),
  );
}

/** To five significant digits, which is more than any of it is good for. */
function round(value) {
  return Number(value.toPrecision(5));
}
