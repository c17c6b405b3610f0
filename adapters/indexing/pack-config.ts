import { isObject } from "../../src/json.ts";
import { thrownMessage } from "../../src/thrown.ts";
import { hostFiles } from "../base-host.ts";
import { readJson } from "../pack-files.ts";
import { CONFIG_FILES, CONFIG_NAME } from "./config-names.ts";
import { openDefault } from "./definition.ts";
import { DEFAULT_DISCOVERY } from "./discovery.ts";
import type { Discovery } from "./discovery.ts";
import { readEnvironmentNames } from "./environment-names.ts";
import type { EnvironmentNames } from "./environment-names.ts";
import { textProblem } from "./names.ts";
import { problemsOf } from "./problem.ts";
import type { Problem } from "./problem.ts";
import type { PackSource } from "./pack-source.ts";

/** What `kindgi.config.*` says of a pack. */
export interface PackConfig {
  file: string;
  id: string;
  version: string;
  env: EnvironmentNames;
  discovery: Discovery;
}

const SHAPE = '{ pack: { id: "…", version: "…" } }';

/**
 * Reads a pack's configuration. Members that indexing has no use for are left alone. One that is only wrong in parts still says
 * where to look for definitions, so that their problems are found with its own.
 */
export async function readPackConfig(
  source: PackSource,
): Promise<{ config?: PackConfig; problems: Problem[] }> {
  const [file, ...others] = CONFIG_FILES.filter((name) => hostFiles.isFile(source.fileOf(name)));
  if (file === undefined) {
    const ways = `write one of ${CONFIG_FILES.join(", ")} that holds ${SHAPE}`;
    return {
      problems: problemsOf(`${CONFIG_NAME}.json`, [
        `There is no ${CONFIG_NAME}.* in ${source.root}: ${ways}`,
      ]),
    };
  }
  if (others.length > 0) {
    const message = `There is more than one configuration: ${file}, ${others.join(", ")}`;
    return { problems: problemsOf(file, [message]) };
  }
  const read = await readConfigFile(source, file);
  if ("problem" in read) return { problems: problemsOf(file, [read.problem]) };
  const problems: string[] = [];
  const config = configOf(file, read.json, problems);
  return { config, problems: problemsOf(file, problems) };
}

async function readConfigFile(
  source: PackSource,
  file: string,
): Promise<{ json: unknown } | { problem: string }> {
  const path = source.fileOf(file);
  if (path.endsWith(".json")) return readJson(hostFiles, path, "configuration");
  try {
    return { json: openDefault(await source.import(file)) };
  } catch (error) {
    return { problem: `Cannot read the configuration: ${thrownMessage(error)}` };
  }
}

function configOf(file: string, value: unknown, problems: string[]): PackConfig {
  const given = isObject(value) ? value : {};
  const pack = isObject(given.pack) ? given.pack : {};
  if (given.pack !== pack)
    problems.push(`The configuration must hold ${SHAPE} as its default export`);
  else {
    problems.push(...textProblem("pack.id", pack.id), ...textProblem("pack.version", pack.version));
  }
  return {
    file,
    id: String(pack.id),
    version: String(pack.version),
    env: readEnvironmentNames(given.env, problems),
    discovery: readDiscovery(given.discovery, problems),
  };
}

function readDiscovery(value: unknown, problems: string[]): Discovery {
  if (value === undefined) return DEFAULT_DISCOVERY;
  const known = Object.keys(DEFAULT_DISCOVERY);
  if (!isObject(value)) {
    problems.push(`discovery must be an object with some of ${known.join(", ")}`);
    return DEFAULT_DISCOVERY;
  }
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    problems.push(`discovery has no ${unknown.join(", ")}; it may have ${known.join(", ")}`);
  }
  const entries = Object.entries(DEFAULT_DISCOVERY).map(
    ([name, preset]) =>
      [name, readPatterns(`discovery.${name}`, value[name], preset, problems)] as const,
  );
  return Object.fromEntries(entries) as unknown as Discovery;
}

function readPatterns(
  place: string,
  value: unknown,
  preset: readonly string[],
  problems: string[],
): readonly string[] {
  if (value === undefined) return preset;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((pattern): pattern is string => {
    const isPattern = typeof pattern === "string" && isInside(pattern);
    const expected = "a path or pattern inside the pack's folder, with forward slashes";
    if (!isPattern) problems.push(`${place} must hold ${expected}, not ${JSON.stringify(pattern)}`);
    return isPattern;
  });
}

function isInside(pattern: string): boolean {
  return pattern !== "" && !/^[/!]|^[A-Za-z]:|\\|(?:^|\/)\.\.(?:\/|$)/.test(pattern);
}
