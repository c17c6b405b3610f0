import type { AddressInfo } from "node:net";
import type { Recorder } from "../../src/records.ts";
import type { PageFeed } from "./page-feed.ts";
import { readPagePack } from "./page-pack.ts";
import type { SupervisorReport } from "./supervisor.ts";
import type { View } from "./view.ts";

export interface ReportTargets {
  recorder: Recorder;
  view: View;
  feed: PageFeed;
}

/** Tells what the supervisor does: as records, as the line that says what is going on, and to the page. */
export function supervisorReport(
  { recorder, view, feed }: ReportTargets,
  { address: host, port }: AddressInfo,
): SupervisorReport {
  let isFirst = true;
  return {
    loading() {
      view.busy(isFirst ? "Starting the pack" : "Loading the change");
      feed.status({ state: "loading", problems: [] });
    },
    serving({ listening: { packId, artifactVersion }, pack, bootMs }) {
      view.busy(undefined);
      feed.status({ state: "serving", problems: [] });
      void readPagePack(pack.index).then((read) => read && feed.pack(read));
      const name = packId === undefined ? "the pack" : String(packId);
      const members = { packId, artifactVersion, bootMs: Math.round(bootMs) };
      if (isFirst) {
        const message = `Serving ${name} on ${host}, port ${port}`;
        recorder.lifecycle("info", "listening", message, { port, host, ...members });
      } else recorder.lifecycle("info", "reloaded", `Serving the changed ${name}`, members);
      isFirst = false;
    },
    failed(problems, isServing) {
      view.busy(undefined);
      feed.status({ state: isServing ? "stale" : "down", problems });
      const rest = isServing ? "what was served before goes on" : "nothing is served";
      const message = `The pack can't be served; ${rest} until the next change`;
      recorder.fault("error", "reload-failed", message, { problems });
    },
    restless(paths) {
      const message =
        "The pack changes faster than it loads; name by --ignore what it writes itself";
      recorder.lifecycle("warn", "restless", message, { paths });
    },
    ended({ code, signal }, restartMs) {
      feed.status({ state: "down", problems: [] });
      const how = signal ? `by ${signal}` : `with exit code ${code}`;
      const next = restartMs === undefined ? "" : `; it is started again in ${restartMs} ms`;
      const members = { exitCode: code ?? undefined, signal: signal ?? undefined, restartMs };
      recorder.lifecycle("error", "service-ended", `The service ended ${how}${next}`, members);
    },
  };
}
