import type { RequirementId } from "./requirements.ts";
import type {
  InProcessTarget,
  ProcessOptions,
  ProcessService,
  ProcessTarget,
  Service,
  StartOptions,
  Target,
} from "./target.ts";

interface CaseBase {
  /** Unique; begins with the number of the section. */
  id: string;
  title: string;
  /** The sentences of the contract that it would fail without. */
  verifies: readonly RequirementId[];
}

interface Context<T extends Target, S extends Service, O> {
  target: T;
  /** The file's shared service for these options, started on first use. */
  service(options?: O): Promise<S>;
  /** A service of the case's own, stopped after it. */
  start(options?: O): Promise<S>;
}

export type AnyContext = Context<Target, Service, StartOptions>;
export type ProcessContext = Context<ProcessTarget, ProcessService, ProcessOptions> & {
  /** A process of the case's own that may not get as far as to listen. */
  spawn(options?: ProcessOptions): ProcessService;
};
export type InProcessContext = Context<InProcessTarget, Service, StartOptions>;

/** One expectation of the contract, written once and run on every target that it can be put to. */
export type Case =
  | (CaseBase & { needs?: never; run(context: AnyContext): Promise<void> })
  | (CaseBase & {
      needs: "process";
      runtimes?: readonly ProcessTarget["runtime"][];
      run(context: ProcessContext): Promise<void>;
    })
  | (CaseBase & { needs: "in-process"; run(context: InProcessContext): Promise<void> });

/** Whether a case can be put to a target. */
export function appliesTo(case_: Case, target: Target): boolean {
  if (case_.needs === undefined) return true;
  if (case_.needs !== target.kind) return false;
  if (case_.needs === "process" && target.kind === "process") {
    return case_.runtimes?.includes(target.runtime) ?? true;
  }
  return true;
}

let last = 0;

/** A text that no other call of this run uses. */
export function unique(prefix: string): string {
  last += 1;
  return `${prefix}-${process.pid}-${last}`;
}
