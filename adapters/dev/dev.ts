import { systemClock } from "../../src/client/caller-scope.ts";
import { encodeJson } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import { Recorder } from "../../src/records.ts";
import type { CommandIo } from "../commands/command-io.ts";
import { Front } from "./front.ts";
import { Page } from "./page.ts";
import { PageFeed } from "./page-feed.ts";
import { supervisorReport } from "./report.ts";
import { freePort, serviceCommand } from "./service-command.ts";
import { ServiceChild } from "./service-child.ts";
import type { ServiceChildOptions } from "./service-child.ts";
import { untilStopped } from "./stop-signals.ts";
import { Supervisor } from "./supervisor.ts";
import type { PackPlace, SupervisorOptions } from "./supervisor.ts";
import { View } from "./view.ts";
import { watchPack } from "./watch.ts";

export interface DevOptions {
  /** The folder that is watched. */
  root: string;
  /** Files that are watched wherever they are. */
  files: readonly string[];
  /** What is left alone below the root. */
  ignored: readonly string[];
  makeIndex: SupervisorOptions["makeIndex"];
  host: string;
  port: number;
  token: string;
  /** The command that serves the pack. */
  words: readonly string[];
  /** Whether the command is another service's, which may not write a `listening` record. */
  isForeign: boolean;
  /** Told once the address is bound. */
  onListening: (url: string) => void;
}

const OK = 0;
const INTERRUPTED = 130;

/**
 * Serves a pack at one address while it changes. Resolves with the exit code once a signal has ended it.
 *
 * @throws when the address can't be bound
 */
export async function runDev(options: DevOptions, io: CommandIo): Promise<number> {
  const clock = io.clock ?? systemClock;
  const view = new View(io, clock);
  const recorder = new Recorder({ onRecord: (record) => view.record(record) });
  const isNews = newsFilter();
  const feed = new PageFeed();
  const page = new Page({ folder: new URL("./page/", io.entry), feed, token: options.token });
  const front = await Front.listen({ host: options.host, port: options.port, page });
  options.onListening(urlOf(front));
  const supervisor = new Supervisor({
    makeIndex: options.makeIndex,
    startChild: (pack) =>
      startChild(pack, options, io, {
        onRecord(record, line) {
          feed.record(record);
          if (isNews(record)) view.record(record, line);
        },
        onText: (line, output) => view.text(line, output),
      }),
    front,
    report: supervisorReport({ recorder, view, feed }, front.address),
    clock,
  });
  const watching = await watchPack({
    ...options,
    onChange: (paths) => supervisor.changed(paths),
    onError: ({ message }) =>
      recorder.lifecycle("warn", "watch-failed", `Not everything is watched: ${message}`),
    clock,
  });
  supervisor.changed([]);
  const stop = async () => {
    view.busy("Waiting for the calls under way");
    await Promise.all([watching.close(), supervisor.stop()]);
    view.busy(undefined);
    await front.close();
  };
  const isPatient = await untilStopped(stop, () => supervisor.kill());
  recorder.lifecycle("info", "stopped", "Stopped");
  return isPatient ? OK : INTERRUPTED;
}

async function startChild(
  pack: PackPlace,
  { words, isForeign, token }: DevOptions,
  { environment }: CommandIo,
  listeners: Pick<ServiceChildOptions, "onRecord" | "onText">,
): Promise<ServiceChild> {
  const port = isForeign ? await freePort() : undefined;
  const command = serviceCommand(pack, { words, token, environment, port });
  return new ServiceChild({ ...command, ...listeners });
}

/** What is of one service's own life: its address isn't the pack's, and its problems are told by whoever started it. */
const OWN_LIFE = new Set(["listening", "draining", "stopped", "boot-failed", "config-invalid"]);

/** Whether a service's record is worth a line: the hidden environment names are, when they are others than before. */
function newsFilter(): (record: JsonObject) => boolean {
  let dropped = "";
  return ({ kind, names }) => {
    if (kind !== "env-dropped") return !OWN_LIFE.has(String(kind));
    const before = dropped;
    dropped = encodeJson(names);
    return dropped !== before;
  };
}

function urlOf({ address: { address, port, family } }: Front): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
