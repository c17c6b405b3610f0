import { useEffect, useState } from "react";
import { CallList } from "./call-list.tsx";
import { useFeed } from "./feed.ts";
import type { Feed } from "./feed.ts";
import { keyOf, TargetList } from "./target-list.tsx";
import { TargetView } from "./target-view.tsx";

const STATES: Readonly<Record<Feed["status"]["state"], string>> = {
  loading: "Loading…",
  serving: "Serving",
  stale: "The last change isn't served",
  down: "Not serving",
  lost: "dev isn't running",
};

export function App() {
  const { pack, status, calls } = useFeed();
  const [chosen, choose] = useState<string>();
  const targets = pack?.targets ?? [];
  const selected = targets.find((target) => keyOf(target) === chosen) ?? targets[0];
  useEffect(() => {
    document.title = pack ? `${pack.id} · pack-handler dev` : "pack-handler dev";
  }, [pack]);
  return (
    <>
      <header className="top">
        <p className="pack">
          <strong>{pack?.id ?? "pack-handler dev"}</strong>
          <span className="quiet">{pack && `${pack.version} · ${pack.artifactVersion}`}</span>
        </p>
        <p className={`state ${status.state}`} role="status">
          {STATES[status.state]}
        </p>
      </header>
      {status.problems.length > 0 && (
        <div className="problems" role="alert" aria-label="Problems">
          <ul>
            {status.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="columns">
        <TargetList
          targets={targets}
          calls={calls}
          selected={selected}
          onSelect={(target) => choose(keyOf(target))}
        />
        <main>{selected && <TargetView key={schemaKey(selected)} target={selected} />}</main>
        <CallList calls={calls} />
      </div>
    </>
  );
}

/** A reload that changes nothing of a tool leaves what has been typed; another schema begins anew. */
function schemaKey(target: Parameters<typeof keyOf>[0]): string {
  return JSON.stringify(target);
}
