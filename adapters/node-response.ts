import type { ServerResponse } from "node:http";
import { keys } from "../src/captured.ts";

interface ResponseInit {
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** An answer to a request of Node's, as much of the web's `Response` as a pack handler makes: a text or none. */
export class NodeResponse {
  readonly #status: number;
  readonly #text: string | null;
  readonly #headers: ResponseInit["headers"];

  constructor(text: string | null, { status, headers }: ResponseInit) {
    this.#status = status;
    this.#text = text;
    this.#headers = headers;
  }

  /** Sends it whole but for the end, which the caller may have to wait with. */
  writeTo(res: ServerResponse): void {
    this.#writeHead(res);
    if (this.#text !== null) res.write(this.#text);
  }

  /** Sends it, head and text in one piece. */
  endTo(res: ServerResponse): void {
    this.#writeHead(res);
    res.end(this.#text);
  }

  #writeHead(res: ServerResponse): void {
    const head: string[] = [];
    for (const name of keys(this.#headers)) head.push(name, this.#headers[name] as string);
    // The answer to a HEAD has no text, and a length of 0 would be untrue of the GET's.
    if (this.#text !== null) head.push("content-length", String(Buffer.byteLength(this.#text)));
    res.writeHead(this.#status, head);
  }
}
