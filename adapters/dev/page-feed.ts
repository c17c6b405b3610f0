import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../src/json.ts";
import type { PageCall, PageEvents, PagePack, PageStatus } from "./page-events.ts";

/** Calls that a page which is opened now still sees. */
const KEPT_CALLS = 200;
/** A connection that says nothing for longer may be cut by what is between. */
const HEARTBEAT_MS = 15_000;

/** What pages are told as it happens, by server-sent events; one that is opened later first learns how things stand. */
export class PageFeed {
  readonly #pages = new Set<ServerResponse>();
  readonly #calls: PageCall[] = [];
  #pack: PagePack | undefined;
  #status: PageStatus = { state: "loading", problems: [] };
  readonly #heartbeat = setInterval(() => this.#write(": \n\n"), HEARTBEAT_MS);

  constructor() {
    this.#heartbeat.unref();
  }

  open(res: ServerResponse): void {
    res.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    this.#pages.add(res);
    res.once("close", () => this.#pages.delete(res));
    res.write(eventText("status", this.#status));
    if (this.#pack) res.write(eventText("pack", this.#pack));
    res.write(eventText("calls", this.#calls));
  }

  status(status: PageStatus): void {
    this.#status = status;
    this.#send("status", status);
  }

  pack(pack: PagePack): void {
    this.#pack = pack;
    this.#send("pack", pack);
  }

  /** Takes a service's record, of whatever kind. */
  record({ kind, time, target, id, outcome, durationMs }: JsonObject): void {
    if (kind !== "call" || typeof id !== "string" || typeof outcome !== "string") return;
    const call: PageCall = {
      time: typeof time === "string" ? time : new Date().toISOString(),
      target: target === "check" ? "check" : "tool",
      id,
      outcome,
      durationMs: typeof durationMs === "number" ? durationMs : 0,
    };
    this.#calls.push(call);
    if (this.#calls.length > KEPT_CALLS) this.#calls.shift();
    this.#send("calls", [call]);
  }

  #send<Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): void {
    this.#write(eventText(name, data));
  }

  #write(text: string): void {
    for (const page of this.#pages) page.write(text);
  }
}

/** JSON text has no line breaks, which would end an event. */
function eventText<Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
