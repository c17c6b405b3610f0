import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

const COOKIE_NAME = "pack-handler-dev";

/**
 * Who may use the page and make calls without the token: a browser on this machine that has loaded the page from here.
 *
 * - The right is a cookie, so that no URL, history, referrer or script holds it. It is `HttpOnly` and `SameSite=Strict`; but a
 *   browser takes all ports of a host for one site, so another page on this machine would send it, too.
 * - Hence `Origin` and `Sec-Fetch-Site`, which no page can set, must say that the request is this page's own.
 * - And `Host` must be an address or localhost: a name of someone else's that resolves to this machine (DNS rebinding) would
 *   make their page this one's origin.
 * - And the connection must come from this machine, whatever address is listened on.
 */
export class PageAccess {
  readonly #session = randomBytes(24).toString("base64url");

  /** Whether a request may load the page. */
  mayLoad(req: IncomingMessage): boolean {
    return isLoopback(req.socket.remoteAddress) && isOwnHost(req.headers.host);
  }

  /** Whether a request is one of the page that was loaded from here. */
  isPage(req: IncomingMessage): boolean {
    return this.mayLoad(req) && isSameOrigin(req) && this.#hasCookie(req);
  }

  /** The `set-cookie` of the page. Another port's page on this host has a cookie of its own. */
  cookie(req: IncomingMessage): string {
    return `${cookieName(req)}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  #hasCookie(req: IncomingMessage): boolean {
    const cookies = (req.headers.cookie ?? "").split(";").map((pair) => pair.trim());
    return cookies.includes(`${cookieName(req)}=${this.#session}`);
  }
}

function cookieName(req: IncomingMessage): string {
  return `${COOKIE_NAME}-${req.socket.localPort}`;
}

function isLoopback(address = ""): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

function isOwnHost(host: string | undefined): boolean {
  const [, name = ""] = /^(\[[\d:.a-f]+\]|[\w.-]+)(?::\d+)?$/i.exec(host ?? "") ?? [];
  return (
    name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) > 0
  );
}

/** A request that only reads has no `Origin` in its own page; other requests always have one. */
function isSameOrigin({ headers, method }: IncomingMessage): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined ? method === "GET" : origin === `http://${host}`;
}
