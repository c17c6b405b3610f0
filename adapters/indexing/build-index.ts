import { relative, resolve } from "node:path";
import type { JsonObject } from "../../src/json.ts";
import { describeIssue } from "../../src/issues.ts";
import { PackBinder } from "../../src/pack.ts";
import { checkIdOf, checkPackIndex } from "../../src/pack-index.ts";
import type { GuardrailEntry, PackIndex, ToolEntry } from "../../src/pack-index.ts";
import { thrownMessage } from "../../src/thrown.ts";
import { createSchemaCompiler } from "../../src/validation.ts";
import { hostFiles } from "../base-host.ts";
import { readBundleMap } from "../pack-files.ts";
import { readDefinition } from "./definition.ts";
import { baseOf, DEFAULT_DISCOVERY, findDefinitions, LISTS } from "./discovery.ts";
import type { ListName } from "./discovery.ts";
import { entryOf } from "./entries.ts";
import { joinEnvironmentNames, readEnvironmentNames } from "./environment-names.ts";
import type { EnvironmentNames } from "./environment-names.ts";
import { byCodeUnits, indexText } from "./index-text.ts";
import { readPackConfig } from "./pack-config.ts";
import type { PackConfig } from "./pack-config.ts";
import { packSource } from "./pack-source.ts";
import type { PackSource } from "./pack-source.ts";
import { problemsOf, sortProblems } from "./problem.ts";
import type { Problem } from "./problem.ts";
import { nextStamp, stampOf } from "./stamp.ts";

export interface BuildIndexOptions {
  /** The pack's folder: where its configuration is and its module paths start. */
  root: string;
  /** File of a JSON object: source path → path of its bundle below `root`, which is then imported in its place. */
  bundleMap?: string | undefined;
  /** @default `YYYYMMDD.N`, N counted up from the previous index of that day */
  artifactVersion?: string | undefined;
  /** ISO 8601. @default now */
  publishedAt?: string | undefined;
  /** The index that is to be replaced. One that says the same keeps its stamp. */
  previous?: unknown;
  /** Holds the paths of the modules that are being imported, at any moment. */
  loading?: Set<string>;
  /** @default the system's clock */
  now?: () => Date;
}

export type BuildIndexResult = { index: PackIndex } | { problems: Problem[] };

/**
 * Makes a pack's index (contract §3) from its definitions: the default exports of the modules in `tools`, `guardrails`,
 * `agents` and `flows`, and `kindgi.config.*`. Lists every problem at once, each with its file.
 *
 * The modules are imported, so what they do when they are loaded happens in this process; a second call in one process
 * sees them as they were at the first.
 */
export async function buildIndex(options: BuildIndexOptions): Promise<BuildIndexResult> {
  const root = resolve(options.root);
  const bundles = await readBundleMap(hostFiles, options.bundleMap, root);
  if (bundles.problems.length > 0) {
    const file = relative(root, resolve(options.bundleMap ?? "")).replaceAll("\\", "/");
    return { problems: problemsOf(file, bundles.problems) };
  }
  const source = packSource(root, bundles, options.loading);
  const { config, problems } = await readPackConfig(source);
  if (config === undefined) return { problems };
  const read = await readEntries(source, config);
  const { entries } = read;
  problems.push(...read.problems, ...schemaProblems(entries), ...duplicateProblems(entries));
  if (problems.length > 0) return { problems: sortProblems(problems) };
  const index = stamped(contentOf(config, entries), options);
  const checked = checkPackIndex(index);
  return "index" in checked ? checked : { problems: problemsOf(config.file, checked.problems) };
}

/** An entry of the index on its way there. */
interface SourceEntry {
  list: ListName;
  path: string;
  entry: JsonObject;
  env: EnvironmentNames;
  namespace: unknown;
  /** Whether its schemas can be judged: they are there, and its id, to name them by. */
  isWhole: boolean;
}

interface Entries {
  entries: SourceEntry[];
  problems: Problem[];
}

async function readEntries(source: PackSource, config: PackConfig): Promise<Entries> {
  const found: Entries = { entries: [], problems: [] };
  const reads = LISTS.map(async (list) => {
    const paths = await definitionPaths(source, config, list, found.problems);
    return Promise.all(paths.map((path) => readEntry(source, list, path)));
  });
  for (const read of (await Promise.all(reads)).flat()) {
    if ("entry" in read) found.entries.push(read);
    found.problems.push(...problemsOf(read.path, read.problems));
  }
  return found;
}

async function definitionPaths(
  { root, built }: PackSource,
  { discovery, file }: PackConfig,
  list: ListName,
  problems: Problem[],
): Promise<string[]> {
  try {
    const paths = await findDefinitions(root, discovery, list, built);
    if (discovery[list] === DEFAULT_DISCOVERY[list] || paths.length > 0) return paths;
    const places = discovery[list].map((pattern) => JSON.stringify(pattern)).join(", ");
    if (discovery[list].length === 0) return [];
    problems.push({ file, message: `discovery.${list} finds nothing at ${places}` });
  } catch (error) {
    const places = discovery[list].map(baseOf).join(", ");
    problems.push({
      file,
      message: `Cannot look for ${list} in ${places}: ${thrownMessage(error)}`,
    });
  }
  return [];
}

type ReadEntry = { path: string; problems: string[] } & (SourceEntry | object);

async function readEntry(source: PackSource, list: ListName, path: string): Promise<ReadEntry> {
  let namespace: unknown;
  try {
    namespace = await source.import(path);
  } catch (error) {
    return { path, problems: [`Cannot import it: ${thrownMessage(error)}`] };
  }
  const read = readDefinition(namespace, list);
  if ("problem" in read) return { path, problems: [read.problem] };
  const { definition } = read;
  const problems: string[] = [];
  const entry = entryOf(list, { definition, path, file: source.fileOf(path) }, problems);
  const runs = list === "tools" || list === "guardrails";
  const env = readEnvironmentNames(runs ? definition.env : undefined, problems);
  return { list, path, entry, env, namespace, isWhole: isWhole(list, entry), problems };
}

function isWhole(list: ListName, { id, input, output }: JsonObject): boolean {
  return (
    typeof id === "string" && (list !== "tools" || (input !== undefined && output !== undefined))
  );
}

/** Compiles every schema as the service will, and judges each guardrail's config by its own. */
function schemaProblems(entries: readonly SourceEntry[]): Problem[] {
  const modules = new Map(entries.map(({ path, namespace }) => [path, namespace]));
  const messages: string[] = [];
  const binder = new PackBinder(modules, createSchemaCompiler(), messages);
  return entries.flatMap(({ list, path, entry, isWhole }) => {
    if (!isWhole) return [];
    if (list === "tools") binder.tool(entry as ToolEntry);
    if (list === "guardrails") messages.push(...configProblems(binder, entry as GuardrailEntry));
    return problemsOf(path, messages.splice(0));
  });
}

function configProblems(binder: PackBinder, entry: GuardrailEntry): string[] {
  const { validateConfig } = binder.check(entry);
  if (validateConfig === undefined || entry.config === undefined) return [];
  const verdict = validateConfig(entry.config);
  if (verdict.valid) return [];
  return [
    `check "${checkIdOf(entry)}" has a config that its schema refuses${describeIssue(verdict.issues[0])}`,
  ];
}

function duplicateProblems(entries: readonly SourceEntry[]): Problem[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ list, path, entry }) => {
    const found = namesOf(list, entry).flatMap((name) => {
      const other = first.get(name);
      if (other === undefined) first.set(name, path);
      return other === undefined ? [] : [`${name} is defined in ${other}, too`];
    });
    return problemsOf(path, found);
  });
}

/** What only one entry may be called. A tool may stand beside itself in another version. */
function namesOf(list: ListName, entry: JsonObject): string[] {
  const { id, version, checkId = id } = entry;
  if (typeof id !== "string") return [];
  if (list === "guardrails") {
    const names = [`guardrail "${id}"`, `check "${String(checkId)}"`];
    return checkId === id ? names.slice(1) : names;
  }
  const kind = list.slice(0, -1);
  return [
    `${kind} "${id}" ${version === undefined ? "without a version" : `version "${String(version)}"`}`,
  ];
}

function contentOf(config: PackConfig, entries: readonly SourceEntry[]): JsonObject {
  const env = joinEnvironmentNames([config.env, ...entries.map((entry) => entry.env)]);
  const lists = LISTS.map((list) => [list, sortedEntries(entries, list)]);
  return {
    v: 1,
    packId: config.id,
    packVersion: config.version,
    env,
    ...Object.fromEntries(lists),
  };
}

function sortedEntries(entries: readonly SourceEntry[], list: ListName): JsonObject[] {
  const ofList = entries.filter((entry) => entry.list === list).map(({ entry }) => entry);
  return ofList.toSorted(
    (a, b) =>
      byCodeUnits(String(a.id), String(b.id)) ||
      byCodeUnits(String(a.version ?? ""), String(b.version ?? "")),
  );
}

/** What is the same under the stamp that it had keeps that stamp, unless another is asked for. */
function stamped(content: JsonObject, options: BuildIndexOptions): JsonObject {
  const { previous, now = () => new Date(), artifactVersion, publishedAt } = options;
  const before = stampOf(previous);
  const same = { ...content, ...before };
  const isAsked = (asked: string | undefined, had: string | undefined) =>
    had !== undefined && (asked === undefined || asked === had);
  const keeps =
    isAsked(artifactVersion, before.artifactVersion) && isAsked(publishedAt, before.publishedAt);
  if (keeps && indexText(same) === indexText(previous)) return same;
  const next = nextStamp(before, publishedAt === undefined ? now() : new Date(publishedAt));
  return {
    ...content,
    artifactVersion: artifactVersion ?? next.artifactVersion,
    publishedAt: publishedAt ?? next.publishedAt,
  };
}
