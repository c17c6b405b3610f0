const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 } as const;

export type Paint = (style: keyof typeof CODES, text: string) => string;

export function painter(isColoured: boolean): Paint {
  if (!isColoured) return (_style, text) => text;
  return (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
}

const CONTROL = /\p{Cc}/gu;

/** Text that moves no cursor and forges no line. */
export function visible(text: string): string {
  return text.replace(CONTROL, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return character === "\n" ? "\\n" : `\\u${code}`;
  });
}

/** Text of several lines, each made visible and indented. */
export function visibleLines(text: string, indent: string): string[] {
  return text.split(/\r?\n/).map((line) => indent + visible(line));
}
