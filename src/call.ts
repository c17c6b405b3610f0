import { checkContext, handlerContext } from "./call-context.ts";
import type { CallScope } from "./call-scope.ts";
import { checkResultIssues } from "./check-result.ts";
import type { Model, PackFunction } from "./exports.ts";
import { Failure } from "./failure.ts";
import { describeIssue } from "./issues.ts";
import { resultMessage, shownResult } from "./message.ts";
import type { CheckCall, ToolCall } from "./message.ts";
import { readModelResult } from "./model.ts";
import { isPlainData } from "./plain-data.ts";
import type { IsExotic } from "./plain-data.ts";
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
  readonly scope: CallScope;
  log(): PackLog;
}

/** What a call's code gets, once its schema has found it valid, and the function it is for. */
interface ValidCall {
  fn: PackFunction;
  what: "input" | "config";
  value: unknown;
}

/**
 * Runs a call: validates what goes in, runs the pack's code, validates what comes out. Returns the result's message,
 * or why there is none. The only place where pack code runs. Once the call is interrupted it starts no more of it.
 */
export async function runCall(
  bound: BoundCall,
  frame: CallFrame,
  isExotic: IsExotic,
): Promise<string | Failure> {
  const valid = bound.target === "tool" ? validateTool(bound) : validateCheck(bound);
  if (valid instanceof Failure) return valid;
  const { fn, what, value } = valid;
  const modelled = fn.model ? await applyModel(fn.model, value, what) : { value };
  if (modelled instanceof Failure) return modelled;
  if (frame.scope.interruption) return frame.scope.interruption;
  let returned: unknown;
  try {
    returned = await fn.call(...argumentsOf(bound, modelled.value, frame));
  } catch (thrown) {
    return threw("the pack's code", thrown);
  }
  return encodeOutput(returned, bound, isExotic);
}

type BoundToolCall = Extract<BoundCall, { target: "tool" }>;
type BoundCheckCall = Extract<BoundCall, { target: "check" }>;

function validateTool({ entry, call }: BoundToolCall): ValidCall | Failure {
  const { handler, modulePath } = entry;
  if (!handler) {
    const message = `${modulePath} has no handler: export a function as default, handler or run, or an object that has one`;
    return new Failure("handler-shape-invalid", message);
  }
  const verdict = entry.validateInput(call.input);
  return verdict.valid
    ? { fn: handler, what: "input", value: verdict.value }
    : invalidInput("input", verdict.issues);
}

function validateCheck({ entry, call }: BoundCheckCall): ValidCall | Failure {
  const { evaluate, modulePath, validateConfig } = entry;
  if (!evaluate) {
    const message = `${modulePath} has no evaluate function: export one as evaluate, default or check`;
    return new Failure("check-shape-invalid", message);
  }
  const verdict = validateConfig?.(call.config);
  return !verdict || verdict.valid
    ? { fn: evaluate, what: "config", value: call.config }
    : invalidInput("config", verdict.issues);
}

function argumentsOf(bound: BoundCall, modelled: unknown, frame: CallFrame): unknown[] {
  if (bound.target === "tool") return [modelled, handlerContext(bound.call.ctx, frame)];
  // The config goes in as sent: a check's model judges it, it doesn't change it.
  return [bound.call.config, bound.call.trace, checkContext(frame)];
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

function threw(what: string, thrown: unknown): Failure {
  const message = `${what} threw: ${thrownMessage(thrown)}`;
  return new Failure("handler-throw", message, { cause: thrownCause(thrown) });
}

function invalidInput(what: "input" | "config", issues: readonly Issue[]): Failure {
  return new Failure("input-validation-failed", `invalid ${what}${describeIssue(issues[0])}`, {
    issues,
  });
}

/** The message of a returned value, once what its reader will find in it has been judged. */
function encodeOutput(value: unknown, bound: BoundCall, isExotic: IsExotic): string | Failure {
  const { target } = bound;
  const isShownAsItIs = isPlainData(value, isExotic);
  let message: string;
  try {
    message = resultMessage(target, value);
  } catch (thrown) {
    return invalidOutput([{ instancePath: "", message: `must be JSON: ${thrownMessage(thrown)}` }]);
  }
  const shown = isShownAsItIs ? value : shownResult(target, message);
  if (shown === undefined) {
    return invalidOutput([{ instancePath: "", message: `must be JSON, not ${typeof value}` }]);
  }
  const issues = outputIssues(shown, bound);
  return issues.length === 0 ? message : invalidOutput(issues);
}

function outputIssues(output: unknown, bound: BoundCall): readonly Issue[] {
  if (bound.target === "check") return checkResultIssues(output);
  const verdict = bound.entry.validateOutput(output);
  return verdict.valid ? [] : verdict.issues;
}

function invalidOutput(issues: readonly Issue[]): Failure {
  return new Failure("output-validation-failed", `invalid output${describeIssue(issues[0])}`, {
    issues,
  });
}
