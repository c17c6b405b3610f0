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
 * A Standard Schema's type may stand for an `input` or `output`, so that a tool's own `typeof` does. What is left
 * out is not checked.
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

type Entry<P extends PackTypes, Name extends keyof PackTypes, Id> = Members<P, Name>[Id &
  keyof Members<P, Name>];

export type ToolId<P extends PackTypes> = keyof Members<P, "tools"> & string;
export type CheckId<P extends PackTypes> = keyof Members<P, "checks"> & string;

interface SchemaTypes<Side extends "input" | "output", T> {
  "~standard": { types?: { [K in Side]: T } | undefined };
}

/** The type of a Standard Schema on one side; any other type is itself. */
type TypeOf<S, Side extends "input" | "output"> = S extends SchemaTypes<Side, infer T> ? T : S;

export type ToolInput<P extends PackTypes, Id extends ToolId<P>> =
  Entry<P, "tools", Id> extends { input: infer S } | { inputZod: infer S }
    ? TypeOf<S, "input">
    : unknown;

export type ToolOutput<P extends PackTypes, Id extends ToolId<P>> =
  Entry<P, "tools", Id> extends { output: infer S } ? TypeOf<S, "output"> : unknown;

export type CheckConfig<P extends PackTypes, Id extends CheckId<P>> =
  Entry<P, "checks", Id> extends { config: infer C } ? TypeOf<C, "input"> : Record<string, unknown>;

export type CheckTrace<P extends PackTypes, Id extends CheckId<P>> =
  Entry<P, "checks", Id> extends { trace: infer T } ? TypeOf<T, "input"> : unknown;

export type CheckResultOf<P extends PackTypes, Id extends CheckId<P>> =
  Entry<P, "checks", Id> extends { result: infer R extends CheckResult } ? R : CheckResult;
