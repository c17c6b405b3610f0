/** What is wrong with a text that must be there and not be empty. */
export function textProblem(place: string, value: unknown): string[] {
  if (typeof value === "string" && value !== "") return [];
  const expected = `must be a non-empty string`;
  return [value === undefined ? `${place} is missing; it ${expected}` : `${place} ${expected}`];
}

/** What is wrong with an id: it travels through logs, addresses and command lines. */
export function idProblem(value: unknown): string[] {
  const problems = textProblem("id", value);
  if (problems.length > 0 || !/[\s\p{C}]/u.test(value as string)) return problems;
  return [`id must have no spaces and no control characters, unlike ${JSON.stringify(value)}`];
}
