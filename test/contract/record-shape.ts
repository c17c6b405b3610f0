import { TOKEN } from "./target.ts";

const FIRST_MEMBERS = ["time", "level", "severity", "subsystem", "message"];
const ID_MEMBERS = [
  "traceId",
  "spanId",
  "requestId",
  "tenantId",
  "projectId",
  "orgId",
  "runId",
  "toolId",
  "checkId",
];
const SEVERITIES: Readonly<Record<string, string>> = {
  error: "ERROR",
  warn: "WARNING",
  info: "INFO",
  debug: "DEBUG",
  trace: "DEBUG",
};

/** What is wrong with a line as a record (§8), if anything. */
export function recordProblems(line: string): string[] {
  const problems = line.includes(TOKEN) ? ["it holds the token"] : [];
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return [...problems, "it is not JSON"];
  }
  if (typeof record !== "object" || record === null || Array.isArray(record))
    return [...problems, "it is no object"];
  return [...problems, ...memberProblems(record as Record<string, unknown>)];
}

function memberProblems(record: Record<string, unknown>): string[] {
  const names = Object.keys(record);
  const idNames = names.filter((name) => ID_MEMBERS.includes(name));
  const sortedIds = ID_MEMBERS.filter((name) => idNames.includes(name));
  const expected = [...FIRST_MEMBERS, ...sortedIds].join(" ");
  const first = names.slice(0, FIRST_MEMBERS.length + idNames.length).join(" ");
  const problems: string[] = [];
  if (first !== expected) problems.push(`its members begin "${first}", not "${expected}"`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(record.time)))
    problems.push("time is not ISO with ms");
  if (SEVERITIES[String(record.level)] !== record.severity || record.severity === undefined) {
    problems.push(
      `level ${String(record.level)} and severity ${String(record.severity)} don't agree`,
    );
  }
  if (typeof record.subsystem !== "string" || typeof record.message !== "string")
    problems.push("a text is missing");
  if (
    record.subsystem === "service" &&
    (record.event === undefined || record.event !== record.kind)
  ) {
    problems.push("event and kind differ");
  }
  return problems;
}
