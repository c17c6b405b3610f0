const UNITS = { B: 1, KiB: 1_024, MiB: 1_048_576 };

/** @throws Error when a text isn't a size such as `10MiB` */
export function parseSize(text) {
  const [, number, unit] = /^(\d+)(B|KiB|MiB)$/.exec(text) ?? [];
  if (unit === undefined) throw new Error(`"${text}" is no size; write 512B, 1KiB or 10MiB`);
  return Number(number) * UNITS[unit];
}
