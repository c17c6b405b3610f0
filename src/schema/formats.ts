import { boundPattern } from "./pattern.ts";

const ONE_SEPARATOR = /^[^t\s]*[t\s][^t\s]*$/i;

/** Whether a text can be a date and a time. Its parts are then few: splitting ten million separators takes seconds. */
export function mayBeDateTime(text: string): boolean {
  return ONE_SEPARATOR.test(text);
}

type Judge = (text: string) => boolean;

/** The same, but false where the runtime runs out of stack over a text of megabytes. */
export function judgeOrRefuse(judge: Judge): Judge {
  return (text) => {
    try {
      return judge(text);
    } catch {
      return false;
    }
  };
}

const BASE64 = boundPattern(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
const LINE = /^.*$/gm;

/** Whether a line of a text is base64, however long. */
export function isBase64(text: string): boolean {
  for (const [line] of text.matchAll(LINE)) if (BASE64.test(line)) return true;
  return false;
}
