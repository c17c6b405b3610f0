import type { CheckResult } from "../protocol.ts";

/**
 * What a pack's tools take and return, by id, for a client that checks calls as they are written:
 *
 * ```ts
 * interface Ledger {
 *   tools: { "record-expense": { input: { vendor: string }; output: { id: string } } };
 *   checks: { "spending-limit": { config: { maximum: string } } };
 * }
 * ```
 *
 * The `typeof` of what `defineTool` or `defineCheck` returned may stand for an entry, and the type of a Standard Schema for an
 * `input`, `output` or `config`. Of a schema counts what it takes: the service applies neither its defaults nor its transforms to
 * what it answers. What is left out is not checked.
 */
export interface PackTypes {
  tools?: object;
  checks?: object;
}

type Members<P extends PackTypes, Name extends keyof PackTypes> = P extends {
  [K in Name]: infer M extends object;
}
  ? M
  : Record<string, unknown>;

type Entry<P extends PackTypes, Name extends keyof PackTypes, Id> = Described<
  Members<P, Name>[Id & keyof Members<P, Name>]
>;

/** What a definition says of its calls; any other entry is itself. */
type Described<E> = "~types" extends keyof E ? NonNullable<E["~types"]> : E;

export type ToolId<P extends PackTypes> = keyof Members<P, "tools"> & string;
export type CheckId<P extends PackTypes> = keyof Members<P, "checks"> & string;

/** What a Standard Schema takes; any other type is itself. */
type TypeOf<S> = S extends { "~standard": { types?: { input: infer T } | undefined } } ? T : S;

export type ToolInput<P extends PackTypes, Id extends ToolId<P>> =
  Entry<P, "tools", Id> extends { input: infer S } | { inputZod: infer S } ? TypeOf<S> : unknown;

export type ToolOutput<P extends PackTypes, Id extends ToolId<P>> =
  Entry<P, "tools", Id> extends { output: infer S } ? TypeOf<S> : unknown;

export type CheckConfig<P extends PackTypes, Id extends CheckId<P>> =
  Entry<P, "checks", Id> extends { config: infer C } ? TypeOf<C> : Record<string, unknown>;

export type CheckTrace<P extends PackTypes, Id extends CheckId<P>> =
  Entry<P, "checks", Id> extends { trace: infer T } ? TypeOf<T> : unknown;

export type CheckResultOf<P extends PackTypes, Id extends CheckId<P>> =
  Entry<P, "checks", Id> extends { result: infer R extends CheckResult } ? R : CheckResult;
