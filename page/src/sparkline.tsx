import type { PageCall } from "../../adapters/dev/page-events.ts";

const SHOWN = 14;
const BAR = 3;
const GAP = 1;
const HEIGHT = 16;

/** How long the last calls took, a bar each. */
export function Sparkline({ calls }: { calls: readonly PageCall[] }) {
  const last = calls.slice(-SHOWN);
  if (last.length === 0) return null;
  const longest = Math.max(1, ...last.map(({ durationMs }) => durationMs));
  const width = SHOWN * (BAR + GAP) - GAP;
  const label = `${last.length === 1 ? "Last call" : `Last ${last.length} calls`}: median ${median(last)} ms, longest ${longest} ms`;
  return (
    <svg className="sparkline" width={width} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {last.map(({ durationMs, outcome, time }, i) => {
        const height = Math.max(1.5, (HEIGHT * durationMs) / longest);
        const x = (SHOWN - last.length + i) * (BAR + GAP);
        const key = `${time} ${i}`;
        const className = outcome === "ok" ? "" : "failed";
        return (
          <rect
            key={key}
            className={className}
            x={x}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            rx={1}
          />
        );
      })}
    </svg>
  );
}

function median(calls: readonly PageCall[]): number {
  const sorted = calls.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
