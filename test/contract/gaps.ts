/** What a target can't do: its case runs as an expected failure. */
export interface Gap {
  target: string;
  /** The case's id. */
  case: string;
  reason: string;
  /** Where the runtime says so itself. */
  link: string;
}

const gaps: readonly Gap[] = [];

/** A target's gaps, by case id. */
export function gapsOf(target: string): ReadonlyMap<string, Gap> {
  return new Map(gaps.filter((gap) => gap.target === target).map((gap) => [gap.case, gap]));
}

export function gapCases(): string[] {
  return gaps.map((gap) => gap.case);
}
