import { useEffect, useState } from "react";
import type { PageCall, PageEvents, PagePack, PageStatus } from "../../adapters/dev/page-events.ts";

const KEPT_CALLS = 200;
const RETRY_MS = 1_000;

/** What dev has told. `lost`: dev doesn't answer. */
export interface Feed {
  status: Omit<PageStatus, "state"> & { state: PageStatus["state"] | "lost" };
  pack: PagePack | undefined;
  /** The oldest first. */
  calls: readonly PageCall[];
}

const NOTHING: Feed = {
  status: { state: "loading", problems: [] },
  pack: undefined,
  calls: [],
};

/** Follows what dev tells. */
export function useFeed(): Feed {
  const [feed, setFeed] = useState(NOTHING);
  useEffect(() => follow(setFeed), []);
  return feed;
}

type SetFeed = (change: (feed: Feed) => Feed) => void;

function follow(setFeed: SetFeed): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout>;
  const listen = () => {
    source = new EventSource("/_dev/events");
    // All calls come anew with each connection.
    source.addEventListener("open", () => setFeed((feed) => ({ ...feed, calls: [] })));
    on(source, "status", (status) => setFeed((feed) => ({ ...feed, status })));
    on(source, "pack", (pack) => setFeed((feed) => ({ ...feed, pack })));
    on(source, "calls", (calls) => {
      setFeed((feed) => ({ ...feed, calls: [...feed.calls, ...calls].slice(-KEPT_CALLS) }));
    });
    source.addEventListener("error", () => {
      source.close();
      setFeed((feed) => ({ ...feed, status: { state: "lost", problems: [] } }));
      retry = setTimeout(() => void renewSession().finally(listen), RETRY_MS);
    });
  };
  listen();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}

function on<Name extends keyof PageEvents>(
  source: EventSource,
  name: Name,
  take: (data: PageEvents[Name]) => void,
): void {
  source.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent).data)));
}

/** The page's right is as old as dev; loading the page again, unseen, gets that of a dev which was started anew. */
export async function renewSession(): Promise<void> {
  await fetch("/").catch(() => {});
}
