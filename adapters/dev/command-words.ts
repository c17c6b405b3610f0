/** The words of a command line: spaces part them, quotes keep them together, a backslash keeps the next character. */
const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PART = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/**
 * Splits a command as a shell would, without a shell's variables, pipes and operators: what is started is the command
 * itself, so that signals reach it. Returns `undefined` for a quote that doesn't end, or nothing.
 */
export function commandWords(text: string): string[] | undefined {
  if (text.replace(WORD, "").trim() !== "") return undefined;
  const words = (text.match(WORD) ?? []).map((word) =>
    word.replace(PART, (_all, escaped?: string, double?: string, single?: string) => {
      return escaped ?? double?.replace(/\\(["\\])/g, "$1") ?? single ?? "";
    }),
  );
  return words.length === 0 ? undefined : words;
}
