/** The length of a text as JSON Schema counts it: in code points, a lone surrogate counting as one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    if (isSurrogate(text, i, 0xdc00) && isSurrogate(text, i - 1, 0xd800)) count--;
  }
  return count;
}

/** Whether a code unit is a surrogate of the half that begins at `from`. */
function isSurrogate(text: string, at: number, from: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === from;
}
