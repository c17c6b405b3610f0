import type { BodyReading } from "./body.ts";
import type { CallFrame } from "./call.ts";
import { callIds, callSecrets } from "./call-record.ts";
import type { CallScope } from "./call-scope.ts";
import type { Subject } from "./failure.ts";
import type { Call } from "./message.ts";
import type { PackLog, Recorder, RecordIds } from "./records.ts";

/** A call on its way through the service, and what is known of it by now. */
export class ServedCall implements CallFrame {
  readonly request: Request;
  readonly scope: CallScope;
  reading: BodyReading | undefined;
  message: Call | undefined;
  subject: Subject | undefined;
  readonly #recorder: Recorder;
  #secrets: readonly string[] = [];
  #log: PackLog | undefined;

  constructor(request: Request, scope: CallScope, recorder: Recorder) {
    this.request = request;
    this.scope = scope;
    this.#recorder = recorder;
  }

  /** Its message has been read. Its secrets are taken now: pack code may take them out of their object before it logs. */
  accept(message: Call): void {
    this.message = message;
    this.subject = { target: message.target, id: message.id };
    this.#secrets = callSecrets(message);
  }

  /** What names it in its records. */
  get ids(): RecordIds {
    return callIds(this.request.headers, this.message, this.subject);
  }

  /** The log of its code, made when it is first asked for. */
  log(): PackLog {
    const { target } = this.message as Call;
    this.#log ??= this.#recorder.packLog(target, this.ids, this.#secrets);
    return this.#log;
  }
}
