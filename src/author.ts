import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import type { CheckContext, HandlerContext } from "./call-context.ts";
import type { CheckResult } from "./protocol.ts";

export type { CheckContext, HandlerContext } from "./call-context.ts";
export type { CheckResult } from "./protocol.ts";

/** A schema of any library that implements Standard Schema, such as Zod, Valibot or ArkType. */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

/** A schema that tells its type by a member that isn't there when it runs, as TypeBox has them. */
export interface StaticSchema {
  static: unknown;
  params: unknown[];
}

/**
 * What describes an input, an output or a config: a JSON Schema, or a Standard Schema that has one. A JSON Schema's type is
 * inferred where it is written in place or `as const`; references are `unknown` in it.
 */
export type Schema = JSONSchema | StandardSchema | StaticSchema;

/** The type of a schema on one side of its transforms and defaults: what it takes, or what it gives. */
type TypeOf<S, Side extends "input" | "output"> = [Schema] extends [S]
  ? unknown
  : S extends { readonly "~standard": { readonly types?: infer T } }
    ? NonNullable<T>[Side & keyof NonNullable<T>]
    : S extends StaticSchema
      ? S["static"]
      : S extends JSONSchema
        ? Side extends "input"
          ? FromSchema<S, { keepDefaultedPropertiesOptional: true }>
          : FromSchema<S>
        : unknown;

/** What a handler is called with: the input with its defaults, after the schema's own transforms. */
export type HandlerInput<I> = TypeOf<I, "output">;

/** What a handler returns, and its caller gets. The service fills no defaults into it and runs no transform of its schema. */
export type HandlerOutput<O> = TypeOf<O, "input">;

/** What a check is called with: the config as it was sent, without defaults. */
export type CheckConfig<C> = TypeOf<C, "input">;

/** Environment names that pack code reads; a list is of required ones. */
export type DeclaredEnv =
  | readonly string[]
  | { readonly required?: readonly string[]; readonly optional?: readonly string[] };

/** A tool, as an author writes it. */
export interface ToolOptions<I, O, Input = HandlerInput<I>, Output = HandlerOutput<O>> {
  /** What callers name it by. */
  id: string;
  version?: string;
  /** For the agent that chooses among tools. */
  description?: string;
  input: I;
  output: O;
  handler: (input: Input, ctx: HandlerContext) => Output | Promise<Output>;
  /** Environment names that the handler reads. No name may begin with `KINDGI_`. */
  env?: DeclaredEnv;
  /** Whether a call changes anything. */
  mutating?: boolean;
  effects?: unknown;
  limits?: unknown;
  needs?: unknown;
  needsSpec?: unknown;
  network?: unknown;
  sandbox?: unknown;
  spec?: unknown;
}

// The types are parameters so that TypeScript compares them: to compare what they derive from takes it beyond its limits.
/** A tool, as its module exports it. */
export interface ToolDefinition<
  I,
  O,
  Input = HandlerInput<I>,
  Output = HandlerOutput<O>,
  Given = TypeOf<I, "input">,
> extends ToolOptions<I, O, Input, Output> {
  /** What a caller sends and gets, for the types of a client: no definition has it when it runs. */
  readonly "~types"?: { input: Given; output: Output };
}

/** A guardrail's check, as an author writes it. */
export interface CheckOptions<C, Trace, Config = CheckConfig<C>> {
  /** The guardrail's id; its check is called by `checkId`, or else by this. */
  id: string;
  checkId?: string;
  /** Schema of the config. */
  config: C;
  /** The config that the runtime shall send with a call. */
  settings?: Config;
  evaluate: (config: Config, trace: Trace, ctx: CheckContext) => CheckResult | Promise<CheckResult>;
  /** Environment names that the check reads. No name may begin with `KINDGI_`. */
  env?: DeclaredEnv;
  /** @default "check" */
  kind?: string;
  /** What the runtime does when the check fails. @default "block" */
  action?: unknown;
  name?: string;
  description?: string;
  severity?: string;
  scope?: unknown;
}

/** A check, as its module exports it: members are called as in the index. */
export interface CheckDefinition<C, Trace, Config = CheckConfig<C>> extends Omit<
  CheckOptions<C, Trace, Config>,
  "config" | "settings"
> {
  kind: string;
  action: unknown;
  configSchema: C;
  config?: Config;
  /** What a caller sends, for the types of a client: no definition has it when it runs. */
  readonly "~types"?: { config: Config; trace: Trace };
}

/**
 * Types a tool: its handler's input, context and return value come from its schemas. Returns a plain object that any service
 * of the protocol runs as a module's default export.
 */
export function defineTool<const I extends Schema, const O extends Schema>(
  options: ToolOptions<I, O>,
): ToolDefinition<I, O> {
  return { ...options };
}

/**
 * Types a check: its config's type comes from its schema. Returns a plain object that any service of the protocol runs as a
 * module's default export.
 */
export function defineCheck<const C extends Schema, Trace = unknown>(
  options: CheckOptions<C, Trace>,
): CheckDefinition<C, Trace> {
  const { config: configSchema, settings, kind = "check", action = "block", ...rest } = options;
  return {
    ...rest,
    kind,
    action,
    configSchema,
    ...(settings === undefined ? {} : { config: settings }),
  };
}
