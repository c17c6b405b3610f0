import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HEADERS } from "../../src/protocol.ts";
import { PATHS } from "../../src/paths.ts";
import { answerJson } from "./forward.ts";
import type { RawHeaders } from "./forward.ts";
import { PageAccess } from "./page-access.ts";
import type { PageFeed } from "./page-feed.ts";

/** Nothing but this page's own script and style runs or is loaded, and nothing frames it. */
const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const FILES: ReadonlyMap<string, { name: string; type: string }> = new Map([
  ["/", { name: "index.html", type: "text/html; charset=utf-8" }],
  ["/_dev/page.js", { name: "page.js", type: "text/javascript; charset=utf-8" }],
  ["/_dev/page.css", { name: "page.css", type: "text/css; charset=utf-8" }],
]);

const EVENTS_PATH = "/_dev/events";

/** Pack code has no use for the page's right. */
function withoutCookies(headers: RawHeaders): string[] {
  const isCookie = (i: number) => headers[i - (i % 2)]?.toLowerCase() === "cookie";
  return headers.filter((_text, i) => !isCookie(i));
}

export interface PageOptions {
  /** The folder of the page's files. */
  folder: URL;
  feed: PageFeed;
  /** The service's token. */
  token: string;
}

/** The page at `/`, what it loads, and its right to make calls. */
export class Page {
  readonly #options: PageOptions;
  readonly #access = new PageAccess();

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** Answers a request that is for the page, not for the service. Returns whether it was. */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const path = (req.url ?? "").replace(/\?.*/s, "");
    const file = FILES.get(path);
    if (!file && path !== EVENTS_PATH) return false;
    if (req.method !== "GET" && req.method !== "HEAD") {
      void answerJson(
        req,
        res,
        405,
        { error: "method not allowed; use GET, HEAD" },
        { allow: "GET, HEAD" },
      );
    } else if (file) this.#sendFile(req, res, file);
    else if (this.#access.isPage(req)) this.#options.feed.open(res);
    else
      void answerJson(req, res, 403, { error: "only the page that was loaded from here may ask" });
    return true;
  }

  /** The headers that a request goes on with: the page's own calls get the token, which it never has. */
  headersFor(req: IncomingMessage): RawHeaders {
    const { rawHeaders } = req;
    if (req.url !== PATHS.invoke || req.headers[HEADERS.token] !== undefined) return rawHeaders;
    if (!this.#access.isPage(req)) return rawHeaders;
    return [...withoutCookies(rawHeaders), HEADERS.token, this.#options.token];
  }

  #sendFile(
    req: IncomingMessage,
    res: ServerResponse,
    { name, type }: { name: string; type: string },
  ) {
    if (!this.#access.mayLoad(req)) {
      const error = "the page is for a browser on this machine, at localhost or an address";
      return void answerJson(req, res, 403, { error });
    }
    let bytes: Buffer;
    try {
      bytes = readFileSync(new URL(name, this.#options.folder));
    } catch {
      const error = "the page isn't built; npm run build:page builds it";
      return void answerJson(req, res, 404, { error });
    }
    res.writeHead(200, {
      ...SECURITY_HEADERS,
      "content-type": type,
      "content-length": bytes.length,
      ...(name === "index.html" ? { "set-cookie": this.#access.cookie(req) } : {}),
    });
    res.end(req.method === "HEAD" ? undefined : bytes);
  }
}
