import type { BoundCall } from "./call.ts";
import { Failure } from "./failure.ts";
import type { Call, ToolCall } from "./message.ts";
import type { BoundTool, Pack } from "./pack.ts";

/** Finds the entry that a call is for. */
export function resolveCall(pack: Pack, call: Call): BoundCall | Failure {
  if (call.target === "check") {
    const entry = pack.checks.get(call.id);
    if (!entry) return new Failure("check-not-in-pack", "the pack has no check of this id");
    return { target: "check", entry, call };
  }
  const versions = pack.tools.get(call.id);
  if (!versions) return new Failure("tool-not-in-pack", "the pack has no tool of this id");
  const entry = pickVersion(versions, call);
  return entry ? { target: "tool", entry, call } : versionMismatch(versions, call);
}

function pickVersion(versions: readonly BoundTool[], { version }: ToolCall): BoundTool | undefined {
  if (version === undefined) return versions.length === 1 ? versions[0] : undefined;
  return versions.find((tool) => tool.version === version);
}

function versionMismatch(versions: readonly BoundTool[], { version }: ToolCall): Failure {
  const names = versions.map((tool) => tool.version ?? "one without a version").join(", ");
  const wrong =
    version === undefined
      ? "the call must name a version"
      : "the pack has no such version of the tool";
  return new Failure("tool-version-mismatch", `${wrong}; there is ${names}`);
}
