import { isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";

/** A tool as the index names it (contract §3). JsonObject beyond these are data for the runtime. */
export interface ToolEntry {
  id: string;
  version?: string;
  description?: string;
  /** JSON Schema of the input. */
  input: unknown;
  /** JSON Schema of the output. */
  output: unknown;
  /** Relative to the module root, with forward slashes. */
  modulePath: string;
  [member: string]: unknown;
}

/** A guardrail as the index names it (contract §3). */
export interface GuardrailEntry {
  id: string;
  /** What its check is called by. @default the guardrail's `id` */
  checkId?: string;
  kind: unknown;
  action: unknown;
  checkModulePath: string;
  /** JSON Schema of the check's config. @default every object is accepted */
  configSchema?: unknown;
  [member: string]: unknown;
}

/** What a pack holds and where its code is: `index.json`. */
export interface PackIndex {
  v: 1;
  packId: string;
  packVersion: string;
  artifactVersion: string;
  tools: readonly ToolEntry[];
  guardrails: readonly GuardrailEntry[];
  env?: { required?: readonly string[]; optional?: readonly string[] };
  [member: string]: unknown;
}

const HEADER_VALUE = /^[\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/**
 * Checks a pack index against contract §3 and lists every problem at once. The members a service doesn't run
 * (`agents`, `flows`, `publishedAt`) are checked only where they are present.
 */
export function checkPackIndex(value: unknown): { index: PackIndex } | { problems: string[] } {
  if (!isObject(value))
    return { problems: [`The pack index must be a JSON object, not ${nameOf(value)}`] };
  const problems = [
    ...headProblems(value),
    ...listProblems(value, "tools", toolProblems),
    ...listProblems(value, "guardrails", guardrailProblems),
    ...["agents", "flows"].map((name) =>
      value[name] === undefined || Array.isArray(value[name])
        ? undefined
        : wrong(name, "an array", value[name]),
    ),
    ...envProblems(value.env),
    ...duplicateProblems(entriesOf(value.tools), entriesOf(value.guardrails)),
  ].filter((problem) => problem !== undefined);
  return problems.length > 0 ? { problems } : { index: value as PackIndex };
}

/** The distinct modules an index names, as {@link normalizeModulePath} writes them. */
export function modulePaths(index: PackIndex): string[] {
  const paths = [
    ...index.tools.map((tool) => tool.modulePath),
    ...index.guardrails.map((guardrail) => guardrail.checkModulePath),
  ];
  return [...new Set(paths.map(normalizeModulePath))];
}

/** A segment that is empty, `.` or `..`. */
const EMPTY_OR_DOTS = /(^|\/)\.{0,2}(\/|$)/;

/** A module path without `.`, `..` and empty segments: two paths to one file become the same text. */
export function normalizeModulePath(path: string): string {
  if (!EMPTY_OR_DOTS.test(path)) return path;
  const segments: string[] = [];
  for (const segment of segmentsOf(path)) {
    if (segment === "..") segments.pop();
    else segments.push(segment);
  }
  return segments.join("/");
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

/** What a guardrail's check is called by. */
export function checkIdOf(guardrail: GuardrailEntry): string {
  return guardrail.checkId ?? guardrail.id;
}

function headProblems({ v, packId, packVersion, artifactVersion, publishedAt }: JsonObject) {
  return [
    v === 1 ? undefined : wrong("v", "the number 1", v),
    textProblem(packId, "packId"),
    textProblem(packVersion, "packVersion"),
    artifactVersionProblem(artifactVersion),
    publishedAt === undefined ? undefined : textProblem(publishedAt, "publishedAt"),
  ];
}

/** What is wrong with an artifact version: it goes into a header of every answer. */
export function artifactVersionProblem(value: unknown): string | undefined {
  if (!isText(value) || HEADER_VALUE.test(value)) return textProblem(value, "artifactVersion");
  const expected = "legal as an HTTP header's value (no line breaks, no outer spaces)";
  return wrong("artifactVersion", expected, value);
}

/** What may be wrong with each member of an entry; a problem starts with the member's name. */
type EntryCheck = (entry: JsonObject) => readonly (string | undefined)[];

function listProblems(index: JsonObject, name: string, check: EntryCheck): string[] {
  const list = index[name];
  if (!Array.isArray(list)) return [wrong(name, "an array", list)];
  const problems: string[] = [];
  list.forEach((entry: unknown, i) => {
    const place = `${name}[${i}]`;
    if (!isObject(entry)) return void problems.push(wrong(place, "an object", entry));
    check(entry).forEach((problem) => {
      if (problem === undefined) return;
      const id = isText(entry.id) ? ` (${quote(entry.id)})` : "";
      problems.push(`${place}${id}.${problem}`);
    });
  });
  return problems;
}

const toolProblems: EntryCheck = (tool) => [
  textProblem(tool.id, "id"),
  tool.version === undefined ? undefined : textProblem(tool.version, "version"),
  presenceProblem(tool.input, "input"),
  presenceProblem(tool.output, "output"),
  modulePathProblem(tool.modulePath, "modulePath"),
];

const guardrailProblems: EntryCheck = (guardrail) => [
  textProblem(guardrail.id, "id"),
  guardrail.checkId === undefined ? undefined : textProblem(guardrail.checkId, "checkId"),
  presenceProblem(guardrail.kind, "kind"),
  presenceProblem(guardrail.action, "action"),
  modulePathProblem(guardrail.checkModulePath, "checkModulePath"),
];

function presenceProblem(value: unknown, place: string): string | undefined {
  return value === undefined ? `${place} is missing` : undefined;
}

function modulePathProblem(path: unknown, place: string): string | undefined {
  if (!isText(path)) return textProblem(path, place);
  if (path.includes("\\")) return wrong(place, "written with forward slashes", path);
  if (leavesRoot(path)) return wrong(place, "a path inside the module root", path);
  return undefined;
}

function leavesRoot(path: string): boolean {
  if (path.startsWith("/") || /^[a-z][a-z0-9+.-]*:/i.test(path) || path.includes("\0")) return true;
  if (!EMPTY_OR_DOTS.test(path)) return false;
  let depth = 0;
  for (const segment of segmentsOf(path)) {
    depth += segment === ".." ? -1 : 1;
    if (depth < 0) return true;
  }
  return depth === 0;
}

function envProblems(env: unknown): (string | undefined)[] {
  if (env === undefined) return [];
  if (!isObject(env)) return [wrong("env", "an object", env)];
  return ["required", "optional"].flatMap((name) => {
    const names = env[name];
    if (names === undefined) return [];
    if (!Array.isArray(names)) return [wrong(`env.${name}`, "an array of names", names)];
    return names.map((item: unknown, i) => textProblem(item, `env.${name}[${i}]`));
  });
}

/** The entries of a list that can be told apart: those with an id. */
function entriesOf(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter((entry) => isObject(entry) && isText(entry.id)) : [];
}

function duplicateProblems(
  tools: readonly JsonObject[],
  guardrails: readonly JsonObject[],
): string[] {
  const names = [
    ...tools.map(
      ({ id, version }) =>
        `tool ${nameOf(id)} ${version === undefined ? "without a version" : `version ${nameOf(version)}`}`,
    ),
    ...guardrails.map(({ id, checkId = id }) => `check ${nameOf(checkId)}`),
  ];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of names) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated].map((name) => `The index names ${name} more than once`);
}

function textProblem(value: unknown, place: string): string | undefined {
  return isText(value) ? undefined : wrong(place, "a non-empty string", value);
}

function wrong(place: string, expected: string, value: unknown): string {
  return value === undefined
    ? `${place} is missing; it must be ${expected}`
    : `${place} must be ${expected}, not ${nameOf(value)}`;
}

function nameOf(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
