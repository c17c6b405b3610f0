import type { RequirementId } from "./requirements.ts";
import type {
  EmbeddedTarget,
  InProcessTarget,
  ProcessOptions,
  ProcessService,
  ProcessTarget,
  Service,
  SocketService,
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
export type SocketContext = Context<ProcessTarget | EmbeddedTarget, SocketService, StartOptions>;
export type InProcessContext = Context<InProcessTarget, Service, StartOptions>;

/** One expectation of the contract, written once and run on every target that it can be put to. */
export type Case =
  | (CaseBase & { needs?: never; run(context: AnyContext): Promise<void> })
  | (CaseBase & {
      needs: "process";
      runtimes?: readonly ProcessTarget["runtime"][];
      run(context: ProcessContext): Promise<void>;
    })
  | (CaseBase & { needs: "socket"; run(context: SocketContext): Promise<void> })
  | (CaseBase & { needs: "in-process"; run(context: InProcessContext): Promise<void> });

/** Transport, messages, deadlines: what a framework around the handler can change. */
const EMBEDDED_SECTIONS = /^[126]-/;

/** Whether a case can be put to a target. */
export function appliesTo(case_: Case, target: Target): boolean {
  if (target.kind === "embedded" && !EMBEDDED_SECTIONS.test(case_.id)) return false;
  if (case_.needs === undefined) return true;
  if (case_.needs === "socket") {
    return target.kind === "process" || (target.kind === "embedded" && target.hasServer);
  }
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
