import { checkAnswer } from "../contract/answer.ts";
import type { Answer } from "../contract/answer.ts";

/** The frame that an HTTP/2 server begins with. */
const HTTP2_SETTINGS = /^\0[^]{2}\x04\0\0\0\0\0/;
const HEAD_END = "\r\n\r\n";

/** What has come on a connection, answer by answer. */
export interface Wire {
  /** A word for each: `ok:<id>`, an error's code, a refusal's status, `refused` for the runtime's own refusal. */
  words: string[];
  /** What no answer has as a whole yet. */
  rest: string;
}

export interface WireRules {
  /** The method of each request, in order. @default all POST */
  methods?: readonly string[];
  /** Whether the runtime's own refusals are JSON as well. */
  jsonRefusals: boolean;
}

/** Reads answers off the bytes of a connection (latin1). @throws when one is none that a service may give */
export function readWire(received: string, isClosed: boolean, rules: WireRules): Wire {
  if (HTTP2_SETTINGS.test(received)) return { words: ["HTTP/2"], rest: "" };
  const words: string[] = [];
  let rest = received;
  for (let final = 0; rest !== "";) {
    const isHead = rules.methods?.[final] === "HEAD";
    const found = takeAnswer(rest, isHead, isClosed);
    if (!found) break;
    rest = found.rest;
    words.push(wordFor(found.answer, isHead, rules.jsonRefusals));
    if (found.answer.status >= 200) final += 1;
  }
  return { words, rest };
}

function takeAnswer(
  text: string,
  isHead: boolean,
  isClosed: boolean,
): { answer: Answer; rest: string } | undefined {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const [start = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(start)?.[1]);
  if (!status) throw new Error(`no status line: ${JSON.stringify(start.slice(0, 200))}`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const after = text.slice(end + HEAD_END.length);
  const length = isHead || status < 200 ? 0 : bodyLength(after, headers, isClosed);
  if (length === undefined || after.length < length) return undefined;
  const body = after.slice(0, length);
  const isChunked = headers.has("transfer-encoding") && length > 0;
  const answer = { status, headers, text: isChunked ? dechunk(body) : body };
  return { answer, rest: after.slice(length) };
}

function bodyLength(after: string, headers: Headers, isClosed: boolean): number | undefined {
  if (headers.get("transfer-encoding") === "chunked") {
    const last = /(?:^|\r\n)0\r\n\r\n/.exec(after);
    return last ? last.index + last[0].length : undefined;
  }
  const declared = headers.get("content-length");
  if (declared !== null) return Number(declared);
  return isClosed ? after.length : undefined;
}

function dechunk(body: string): string {
  return body.replace(/(?:^|\r\n)[0-9a-f]+\r\n/gi, "").trimEnd();
}

function wordFor(answer: Answer, isHead: boolean, jsonRefusals: boolean): string {
  const { status, headers, text } = answer;
  if (status < 200) return String(status);
  const isJson = headers.get("content-type") === "application/json; charset=utf-8";
  const isOwn = isJson && ![400, 408, 431].includes(status);
  if (!isOwn) return refusalWord(answer, isJson, jsonRefusals);
  const body = isHead ? undefined : JSON.parse(text);
  const path = body?.kind ? "/v1/invoke" : body?.packId ? "/v1/info" : "/healthz";
  checkAnswer({ path, method: isHead ? "HEAD" : "POST" }, answer);
  if (body?.kind === "result") return `ok:${body.output.id}`;
  if (body?.kind === "error") return body.code;
  return String(status);
}

function refusalWord({ status, text }: Answer, isJson: boolean, jsonRefusals: boolean): string {
  const isRefusal = (status >= 400 && status < 500) || status === 501 || status === 505;
  if (!isRefusal) throw new Error(`an answer that nobody lists: ${status} ${text.slice(0, 200)}`);
  if (jsonRefusals && !(isJson && typeof JSON.parse(text).error === "string"))
    throw new Error(`a refusal that is not JSON: ${status} ${text.slice(0, 200)}`);
  return "refused";
}
