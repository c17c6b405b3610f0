export function print(line = "") {
  process.stdout.write(`${line}\n`);
}

/** Rows of cells in columns: the first to the left, the others to the right. */
export function printTable(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  for (const row of cells) {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    print(`  ${padded.join("  ")}`);
  }
}

/** With as many decimals as its size is worth. */
export function numberText(value) {
  if (value < 10) return value.toFixed(2);
  return value.toFixed(value < 1_000 ? 1 : 0);
}

/** A summary as `median (min to max)`. */
export function spreadText({ median, min, max }) {
  return `${numberText(median)} (${numberText(min)} to ${numberText(max)})`;
}
