import type { PageCall, PageTarget } from "../../adapters/dev/page-events.ts";
import { Sparkline } from "./sparkline.tsx";

/** What tells targets apart: a tool may be there in several versions. */
export function keyOf({ kind, id, version = "" }: PageTarget): string {
  return JSON.stringify([kind, id, version]);
}

export interface TargetListProps {
  targets: readonly PageTarget[];
  calls: readonly PageCall[];
  selected: PageTarget | undefined;
  onSelect: (target: PageTarget) => void;
}

/** The pack's tools and checks to choose from. */
export function TargetList({ targets, ...rest }: TargetListProps) {
  return (
    <nav className="targets" aria-label="Tools and checks">
      <Group title="Tools" targets={targets.filter(({ kind }) => kind === "tool")} {...rest} />
      <Group title="Checks" targets={targets.filter(({ kind }) => kind === "check")} {...rest} />
    </nav>
  );
}

function Group({ title, targets, calls, selected, onSelect }: TargetListProps & { title: string }) {
  if (targets.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {targets.map((target) => (
          <li key={keyOf(target)}>
            <button
              type="button"
              aria-current={selected && keyOf(selected) === keyOf(target) ? "true" : undefined}
              onClick={() => onSelect(target)}
            >
              <span className="name">
                {target.id} {isOneOfSeveral(target, targets) && <small>{target.version}</small>}
              </span>
              <Sparkline
                calls={calls.filter((one) => one.target === target.kind && one.id === target.id)}
              />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Only then the version tells one from another. */
function isOneOfSeveral({ id }: PageTarget, targets: readonly PageTarget[]): boolean {
  return targets.filter((target) => target.id === id).length > 1;
}
