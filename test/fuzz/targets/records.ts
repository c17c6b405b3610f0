import assert from "node:assert/strict";
import { encodeJson } from "../../../src/json.ts";
import { Recorder } from "../../../src/records.ts";
import type { LogRecord, RecordIds } from "../../../src/records.ts";
import { textsOf } from "../../../src/redact.ts";
import { recordProblems } from "../../contract/record-shape.ts";
import type { FuzzTarget } from "../target.ts";

const SECRET_NAME =
  /(authorization|cookie|token|password|passwd|secrets?|apikey|privatekey|passphrase|credentials?)$/;

/** What stands in records whoever calls. */
const OWN_TEXTS = [
  ...[
    "time level severity subsystem message event kind target id outcome durationMs afterMs fields",
  ],
  ...["traceId spanId requestId tenantId projectId orgId runId toolId checkId name stack cause"],
  ...[
    "error warn info debug trace ERROR WARNING INFO DEBUG pack.tool call ok handler-finished-late",
  ],
  ...["call ok", "late", "[redacted]", "Bearer [redacted]", "[circular]", "[too deep]", "[cut]"],
  ...["[unreadable]", "[function]", "2000-01-01T00:00:00.000Z"],
];

const ID_MEMBERS = [
  ...["traceId", "spanId", "requestId", "tenantId", "projectId", "orgId", "runId", "toolId"],
  "checkId",
];

/**
 * Whatever pack code logs and callers name, each record is one line of JSON with its members in order, holds no secret
 * beside the ids, hides the members with telling names, and is not much longer than what it was made from.
 */
export const recordsTarget: FuzzTarget = {
  name: "records",
  dictionary: [
    ...[
      "message",
      "fields",
      "child",
      "secrets",
      "own",
      "ids",
      "requestId",
      "runId",
      "toolId",
      "time",
    ],
    ...[
      "Authorization",
      "set-cookie",
      "api_key",
      "userToken",
      "__proto__",
      "constructor",
      "toJSON",
    ],
    ...[
      "hunter2-secret",
      "env-value-77",
      "Bearer abc.def",
      "bearer ",
      "http://u:p@h/",
      "://",
      "@",
      "$",
    ],
    ...["cycle", "getter", "bigint", "error", "symbol", "date", "proxy", "map", "\\u2028", "\n"],
  ],
  check(input) {
    let given: Record<string, unknown>;
    try {
      given = Object(JSON.parse(new TextDecoder().decode(input)));
    } catch {
      given = { message: new TextDecoder().decode(input) };
    }
    const ids = Object.fromEntries(
      Object.entries(Object(given.ids)).map(([name, id]) => [name, String(JSON.stringify(id))]),
    ) as RecordIds;
    const [service, call] = [textsOf(given.own), textsOf(given.secrets)];
    const records: LogRecord[] = [];
    const onRecord = (record: LogRecord) => records.push(record);
    const recorder = new Recorder({ onRecord, level: "trace", secrets: service });
    const log = recorder.packLog("tool", ids, call);
    log.warn(revive(given.message), revive(given.fields));
    log.child(revive(given.child)).trace(revive(given.message), revive(given.fields));
    recorder.call({ target: "tool", id: ids.toolId, outcome: "ok", durationMs: 1 }, ids);
    recorder.note("warn", "handler-finished-late", "late", ids, { afterMs: 1 });
    assert.equal(records.length, 4);
    for (const record of records) checkRecord(record, [...service, ...call], input.length);
  },
};

/** Puts what JSON can't say into a value: `{ "$": "cycle" }` and the like. */
function revive(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (!Object.hasOwn(json, "$")) {
    const entries = Object.entries(json).map(([name, member]) => [name, revive(member)]);
    return Array.isArray(json) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  }
  const kind = (json as { $: unknown }).$;
  return (KINDS.get(kind) ?? (() => json))(JSON.stringify(json));
}

const fail = (): never => {
  throw new Error("unreadable");
};

const KINDS = new Map<unknown, (text: string) => unknown>(
  Object.entries({
    cycle: () => {
      const value: Record<string, unknown> = {};
      value.self = [value];
      return value;
    },
    getter: () => Object.defineProperty({}, "broken", { enumerable: true, get: fail }),
    bigint: () => 10n ** 30n,
    symbol: (text: string) => Symbol(text),
    error: (text: string) => Object.assign(new Error(text), { stack: text }),
    date: () => new Date(Number.NaN),
    proxy: () => new Proxy({}, { ownKeys: fail }),
    map: (text: string) => new Map([[text, text]]),
  }),
);

function checkRecord(record: LogRecord, secrets: readonly string[], inputLength: number): void {
  const line = encodeJson(record);
  assert.deepEqual(recordProblems(line), []);
  assert.ok(!/[\n\r]/.test(line), "more than one line");
  assert.ok(line.length < 2_000 + 40 * inputLength, `a line of ${line.length} characters`);
  const named = new Set(["time", "id", ...ID_MEMBERS]);
  const parsed = Object.fromEntries(
    Object.entries(JSON.parse(line)).filter(([name]) => !named.has(name)),
  );
  const told = secrets.filter(
    (secret) => secret.length >= 4 && !OWN_TEXTS.some((text) => text.includes(secret)),
  );
  visit(parsed, (text) => {
    for (const secret of told) assert.ok(!text.includes(secret), `holds ${JSON.stringify(secret)}`);
  });
}

/** Tells every text of a value, names of members included; those of telling names must be masked. */
function visit(value: unknown, tell: (text: string) => void): void {
  if (typeof value === "string") tell(value);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) tell(name);
    const isSecret = SECRET_NAME.test(name.toLowerCase().replaceAll(/[-_]/g, ""));
    if (isSecret && !Array.isArray(value)) assert.equal(member, "[redacted]");
    visit(member, tell);
  }
}
