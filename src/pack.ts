import { findEvaluate, findHandler } from "./exports.ts";
import type { PackFunction } from "./exports.ts";
import { checkIdOf, checkPackIndex, normalizeModulePath } from "./pack-index.ts";
import type { GuardrailEntry, PackIndex, ToolEntry } from "./pack-index.ts";
import type { Validate } from "./schema/validator.ts";
import type { SchemaCompiler } from "./validation.ts";

export interface BoundTool {
  id: string;
  version: string | undefined;
  modulePath: string;
  /** Absent: the module has no handler. */
  handler: PackFunction | undefined;
  validateInput: Validate;
  validateOutput: Validate;
}

export interface BoundCheck {
  id: string;
  modulePath: string;
  /** Absent: the module has no `evaluate`. */
  evaluate: PackFunction | undefined;
  validateConfig: Validate | undefined;
}

/** An index bound to its modules: everything that can be done before a call is done. */
export interface Pack {
  /** The versions of a tool, by its id. */
  tools: ReadonlyMap<string, readonly BoundTool[]>;
  checks: ReadonlyMap<string, BoundCheck>;
  /** Keywords and formats that no dialect knows, each with the place it was first met. */
  annotations: readonly string[];
  /** What the author should mend, though it stops nothing. */
  warnings: readonly string[];
}

/** Modules by normalised path. */
export type Namespaces = ReadonlyMap<string, unknown>;

/** A pack that can't be served. `problems` names every reason. */
export class PackError extends Error {
  override readonly name = "PackError";
  readonly code = "PACK_INVALID";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(
      `The pack can't be served (${count}):\n${problems.map((text) => `- ${text}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

/** Tells a {@link PackError} also when it comes from another copy of this package. */
export function isPackError(value: unknown): value is PackError {
  return (
    value instanceof Error &&
    "code" in value &&
    value.code === "PACK_INVALID" &&
    "problems" in value
  );
}

/**
 * Reads what should be the content of an `index.json`.
 * @throws PackError with every problem of it
 */
export function readPackIndex(value: unknown): PackIndex {
  const checked = checkPackIndex(value);
  if ("problems" in checked) throw new PackError(checked.problems);
  return checked.index;
}

/** Binds a checked index to its modules. What is wrong is added to `problems`, and the pack is then of no use. */
export function bindPack(
  index: PackIndex,
  modules: Namespaces,
  compiler: SchemaCompiler,
  problems: string[],
): Pack {
  const binder = new PackBinder(modules, compiler, problems);
  const tools = new Map<string, BoundTool[]>();
  for (const entry of index.tools) {
    const versions = tools.get(entry.id);
    const tool = binder.tool(entry);
    if (versions) versions.push(tool);
    else tools.set(entry.id, [tool]);
  }
  const checks = new Map<string, BoundCheck>();
  for (const entry of index.guardrails) checks.set(checkIdOf(entry), binder.check(entry));
  return { tools, checks, annotations: binder.annotations(), warnings: binder.warnings };
}

/** Binds the entries of one pack to its modules, one by one. What is wrong is added to `problems`. */
export class PackBinder {
  readonly #modules: Namespaces;
  readonly #compiler: SchemaCompiler;
  readonly #problems: string[];
  readonly warnings: string[] = [];
  /** The schemas that hold an unknown keyword or format, by its name. */
  readonly #annotations = new Map<string, string[]>();

  constructor(modules: Namespaces, compiler: SchemaCompiler, problems: string[]) {
    this.#modules = modules;
    this.#compiler = compiler;
    this.#problems = problems;
  }

  tool(entry: ToolEntry): BoundTool {
    const { id, version } = entry;
    const place = version === undefined ? `tool "${id}"` : `tool "${id}" version "${version}"`;
    const modulePath = normalizeModulePath(entry.modulePath);
    const handler = this.#find(modulePath, place, "handler", findHandler);
    return {
      id,
      version,
      modulePath,
      handler,
      validateInput: this.#compile(entry.input, `${place} input`, true),
      validateOutput: this.#compile(entry.output, `${place} output`, false),
    };
  }

  check(entry: GuardrailEntry): BoundCheck {
    const id = checkIdOf(entry);
    const place = `check "${id}"`;
    const modulePath = normalizeModulePath(entry.checkModulePath);
    const { configSchema } = entry;
    return {
      id,
      modulePath,
      evaluate: this.#find(modulePath, place, "evaluate function", findEvaluate),
      validateConfig:
        configSchema === undefined
          ? undefined
          : this.#compile(configSchema, `${place} config`, false),
    };
  }

  annotations(): string[] {
    return [...this.#annotations].map(([name, places]) => {
      const more = places.length === 1 ? "" : ` and ${places.length - 1} more`;
      return `${name} (${places[0]}${more})`;
    });
  }

  #find<T>(path: string, place: string, what: string, find: (module: unknown) => T | undefined) {
    if (!this.#modules.has(path)) return undefined;
    const found = find(this.#modules.get(path));
    if (!found) this.warnings.push(`${place}: ${path} exports no ${what}; calls of it will fail`);
    return found;
  }

  #compile(schema: unknown, place: string, fillDefaults: boolean): Validate {
    const compiled = this.#compiler.compile(schema, { fillDefaults });
    if ("problems" in compiled) {
      this.#problems.push(...compiled.problems.map((problem) => `${place}: ${problem}`));
      return (value) => ({ valid: true, value });
    }
    this.warnings.push(...compiled.warnings.map((warning) => `${place}: ${warning}`));
    for (const name of compiled.annotations) {
      const places = this.#annotations.get(name);
      if (places) places.push(place);
      else this.#annotations.set(name, [place]);
    }
    return compiled.validate;
  }
}
