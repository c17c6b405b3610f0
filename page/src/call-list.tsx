import type { PageCall } from "../../adapters/dev/page-events.ts";

const SHOWN = 50;

/** The last calls, from whomever they came, the newest first. */
export function CallList({ calls }: { calls: readonly PageCall[] }) {
  const last = calls.slice(-SHOWN).toReversed();
  return (
    <section className="calls" aria-labelledby="calls-title">
      <h2 id="calls-title">Calls</h2>
      {last.length === 0 ? (
        <p className="quiet">Calls appear here as they are made, from this page or elsewhere.</p>
      ) : (
        <div className="scroller" role="group" aria-labelledby="calls-title" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Target</th>
                <th scope="col">Outcome</th>
                <th scope="col" className="number">
                  ms
                </th>
              </tr>
            </thead>
            <tbody>
              {last.map(({ time, id, outcome, durationMs }, i) => (
                <tr key={`${calls.length - i} ${time}`}>
                  <td className="number">{new Date(time).toLocaleTimeString("en-GB")}</td>
                  <td className="code">{id}</td>
                  <td className={outcome === "ok" ? "ok" : "failed"}>{outcome}</td>
                  <td className="number">{durationMs}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
