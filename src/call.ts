import { checkContext, handlerContext } from "./call-context.ts";
import type { CallScope } from "./call-scope.ts";
import { checkResultIssues } from "./check-result.ts";
import type { Model, PackFunction } from "./exports.ts";
import { Failure } from "./failure.ts";
import { describeIssue } from "./issues.ts";
import { parseJson, stringifyJson } from "./json.ts";
import type { CheckCall, ToolCall } from "./message.ts";
import { readModelResult } from "./model.ts";
import type { BoundCheck, BoundTool } from "./pack.ts";
import type { Issue } from "./protocol.ts";
import type { PackLog } from "./records.ts";
import { thrownCause, thrownMessage } from "./thrown.ts";

/** A call and the entry that it is for. */
export type BoundCall =
  | { target: "tool"; entry: BoundTool; call: ToolCall }
  | { target: "check"; entry: BoundCheck; call: CheckCall };

/** What a call runs under. */
export interface CallFrame {
  scope: CallScope;
  log: () => PackLog;
  /** Told when pack code settles after its call has been answered. */
  onLateFinish: () => void;
}

/**
 * Runs a call: validates what goes in, runs the pack's code under the call's scope, validates what comes out.
 * Returns the result's JSON text, or why there is none. The only place where pack code runs.
 */
export function runCall(bound: BoundCall, frame: CallFrame): Promise<string | Failure> {
  const work = bound.target === "tool" ? runTool(bound, frame) : runCheck(bound, frame);
  return frame.scope.race(work, frame.onLateFinish);
}

type BoundToolCall = Extract<BoundCall, { target: "tool" }>;
type BoundCheckCall = Extract<BoundCall, { target: "check" }>;

async function runTool(
  { entry, call }: BoundToolCall,
  frame: CallFrame,
): Promise<string | Failure> {
  const { handler, modulePath } = entry;
  if (!handler) {
    const message = `${modulePath} has no handler: export a function as default, handler or run, or an object that has one`;
    return new Failure("handler-shape-invalid", message);
  }
  const verdict = entry.validateInput(call.input);
  if (!verdict.valid) return invalidInput("input", verdict.issues);
  const modelled = handler.model
    ? await applyModel(handler.model, verdict.value, "input")
    : verdict;
  if (modelled instanceof Failure) return modelled;
  const context = handlerContext(call.ctx, frame.scope, frame.log);
  const returned = await runPackCode(handler, [modelled.value, context], frame.scope);
  if (returned instanceof Failure) return returned;
  return encodeOutput(returned.value, (output) => {
    const outputVerdict = entry.validateOutput(output);
    return outputVerdict.valid ? [] : outputVerdict.issues;
  });
}

async function runCheck(
  { entry, call }: BoundCheckCall,
  frame: CallFrame,
): Promise<string | Failure> {
  const { evaluate, modulePath, validateConfig } = entry;
  if (!evaluate) {
    const message = `${modulePath} has no evaluate function: export one as evaluate, default or check`;
    return new Failure("check-shape-invalid", message);
  }
  const verdict = validateConfig?.(call.config);
  if (verdict && !verdict.valid) return invalidInput("config", verdict.issues);
  const refused = evaluate.model && (await applyModel(evaluate.model, call.config, "config"));
  if (refused instanceof Failure) return refused;
  const context = checkContext(frame.scope, frame.log);
  // The config goes in as sent: a check's model judges it, it doesn't change it.
  const returned = await runPackCode(evaluate, [call.config, call.trace, context], frame.scope);
  return returned instanceof Failure ? returned : encodeOutput(returned.value, checkResultIssues);
}

/** A value of pack code's, held so that no `await` on the way takes it for a thenable. */
interface Held {
  value: unknown;
}

async function applyModel(
  model: Model,
  value: unknown,
  what: "input" | "config",
): Promise<Held | Failure> {
  try {
    const result = readModelResult(await model(value));
    return "issues" in result ? invalidInput(what, result.issues) : result;
  } catch (thrown) {
    return threw(`the model of the ${what}`, thrown);
  }
}

async function runPackCode(
  fn: PackFunction,
  args: readonly unknown[],
  scope: CallScope,
): Promise<Held | Failure> {
  if (scope.interruption) return scope.interruption;
  try {
    return { value: await fn.call(...args) };
  } catch (thrown) {
    return threw("the pack's code", thrown);
  }
}

function threw(what: string, thrown: unknown): Failure {
  const message = `${what} threw: ${thrownMessage(thrown)}`;
  return new Failure("handler-throw", message, { cause: thrownCause(thrown) });
}

function invalidInput(what: "input" | "config", issues: readonly Issue[]): Failure {
  return new Failure("input-validation-failed", `invalid ${what}${describeIssue(issues[0])}`, {
    issues,
  });
}

/** The text of a returned value, once what its reader will find in it has been judged. */
function encodeOutput(
  value: unknown,
  judge: (output: unknown) => readonly Issue[],
): string | Failure {
  let text: string | undefined;
  try {
    text = stringifyJson(value);
  } catch (thrown) {
    return invalidOutput([{ instancePath: "", message: `must be JSON: ${thrownMessage(thrown)}` }]);
  }
  if (text === undefined) {
    return invalidOutput([{ instancePath: "", message: `must be JSON, not ${typeof value}` }]);
  }
  const issues = judge(parseJson(text));
  return issues.length === 0 ? text : invalidOutput(issues);
}

function invalidOutput(issues: readonly Issue[]): Failure {
  return new Failure("output-validation-failed", `invalid output${describeIssue(issues[0])}`, {
    issues,
  });
}
