import { STATUS_CODES } from "node:http";
import type { ServerResponse } from "node:http";
import { FastResponse } from "srvx/node";
import { keys } from "../src/captured.ts";

interface ResponseInit {
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** srvx's response, with the reason phrase that some clients expect, and a shorter way out for a text. */
export class NodeResponse extends FastResponse {
  readonly #text: string | null;
  readonly #init: ResponseInit;
  #isTouched = false;

  constructor(body: string | null, init: ResponseInit) {
    super(body, init);
    this.#text = body;
    this.#init = init;
  }

  override get statusText(): string {
    return STATUS_CODES[this.status] ?? "";
  }

  /** Whoever has seen the headers may have changed them. */
  override get headers(): Headers {
    this.#isTouched = true;
    return super.headers;
  }

  /** Sends head and text in one piece, which srvx writes in two. Returns whether it could. */
  sendTo(res: ServerResponse): boolean {
    if (this.#isTouched) return false;
    const { status, headers } = this.#init;
    const text = this.#text;
    const head: string[] = [];
    for (const name of keys(headers)) head.push(name, headers[name] as string);
    // The answer to a HEAD has no text, and a length of 0 would be untrue of the GET's.
    if (text !== null) head.push("content-length", String(Buffer.byteLength(text)));
    res.writeHead(status, head);
    res.end(text);
    return true;
  }
}
