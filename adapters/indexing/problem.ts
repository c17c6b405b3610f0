import { byCodeUnits } from "./index-text.ts";

/** One reason why a pack can't be indexed. */
export interface Problem {
  /** Relative to the pack's folder, with forward slashes. */
  file: string;
  message: string;
}

export function problemsOf(file: string, messages: readonly string[]): Problem[] {
  return messages.map((message) => ({ file, message }));
}

/** Problems by file, those of one file in the order in which they were found. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => byCodeUnits(a.file, b.file));
}
