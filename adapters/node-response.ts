import type { ServerResponse } from "node:http";
import { encodeUtf8, keys } from "../src/captured.ts";

interface ResponseInit {
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** A longer text is turned into bytes here: Node would copy it behind the head first. */
const MAX_TEXT_LENGTH = 65_536;

/** An answer to a request of Node's, as much of the web's `Response` as a pack handler makes: a text or none. */
export class NodeResponse {
  readonly #status: number;
  readonly #body: string | Uint8Array | null;
  readonly #headers: ResponseInit["headers"];

  constructor(text: string | null, { status, headers }: ResponseInit) {
    this.#status = status;
    this.#body = text !== null && text.length > MAX_TEXT_LENGTH ? encodeUtf8(text) : text;
    this.#headers = headers;
  }

  /** Sends it whole but for the end, which the caller may have to wait with. */
  writeTo(res: ServerResponse): void {
    this.#writeHead(res);
    if (this.#body !== null) res.write(this.#body);
  }

  /** Sends it, head and text in one piece. */
  endTo(res: ServerResponse): void {
    this.#writeHead(res);
    res.end(this.#body);
  }

  #writeHead(res: ServerResponse): void {
    const head: string[] = [];
    for (const name of keys(this.#headers)) head.push(name, this.#headers[name] as string);
    // The answer to a HEAD has no text, and a length of 0 would be untrue of the GET's.
    if (this.#body !== null) head.push("content-length", String(Buffer.byteLength(this.#body)));
    res.writeHead(this.#status, head);
  }
}
