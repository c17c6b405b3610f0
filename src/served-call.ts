import type { BodyReading } from "./body.ts";
import type { CallFrame } from "./call.ts";
import { callIds, callSecrets } from "./call-record.ts";
import type { CallScope } from "./call-scope.ts";
import type { Subject } from "./failure.ts";
import type { Call } from "./message.ts";
import type { PackLog, Recorder, RecordIds } from "./records.ts";

/**
 * A call on its way through the service, and what is known of it by now. Never its body or its message: this is older than
 * they are, and what an object that V8 has moved to its old generation refers to is copied there, too, though both are done
 * with.
 */
export class ServedCall implements CallFrame {
  readonly request: Request;
  readonly scope: CallScope;
  /** While its body comes in. */
  reading: BodyReading | undefined;
  subject: Subject | undefined;
  readonly #recorder: Recorder;
  #ids: RecordIds | undefined;
  #secrets: readonly string[] = [];
  #log: PackLog | undefined;

  constructor(request: Request, scope: CallScope, recorder: Recorder) {
    this.request = request;
    this.scope = scope;
    this.#recorder = recorder;
  }

  /** Its message has been read. Its secrets are taken now: pack code may take them out of their object before it logs. */
  accept(message: Call): void {
    this.subject = { target: message.target, id: message.id };
    this.#ids = callIds(this.request.headers, message, this.subject);
    this.#secrets = callSecrets(message);
  }

  /** What names it in its records. */
  get ids(): RecordIds {
    return this.#ids ?? callIds(this.request.headers, undefined, this.subject);
  }

  /** The log of its code, made when it is first asked for. */
  log(): PackLog {
    const { target } = this.subject as Subject;
    this.#log ??= this.#recorder.packLog(target, this.ids, this.#secrets);
    return this.#log;
  }
}
