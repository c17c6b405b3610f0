/** As many are kept; a run that has them has failed. */
export const MAX_PROBLEMS = 20;

/**
 * What is known of each call by its id, from both sides: its caller's answer and the service's record. A call that
 * has all it is to have is forgotten; whatever comes for it then is one too many.
 */
export class Ledger {
  #open = new Map();
  #cut = new Set();
  calls = 0;
  records = 0;
  outcomes = new Map();
  problems = [];

  open(id) {
    this.calls += 1;
    this.#open.set(id, { answer: undefined, record: undefined });
  }

  /** An answer of the protocol: there must be a record of the same outcome. */
  answered(id, outcome, expected) {
    if (outcome !== expected) this.#problem(`${id} was answered ${outcome}, not ${expected}`);
    this.#count(outcome);
    this.#set(id, "answer", outcome);
  }

  /** A refusal: the call hasn't run, so no record follows. */
  refused(id, status, expected) {
    if (status !== expected && status !== 503) this.#problem(`${id} was refused with ${status}`);
    this.#count(String(status));
    if (!this.#open.delete(id)) this.#problem(`${id} has been answered twice`);
  }

  /** The caller went away while pack code ran: no answer, but a record. */
  abandoned(id) {
    this.#count("abandoned in its handler");
    this.#set(id, "answer", "cancelled");
  }

  /** The caller went away while it sent its body: the service may have refused it before, without a record. */
  cutOff(id) {
    this.#count("cut off in its body");
    if (this.#open.get(id)?.record === undefined) this.#cut.add(id);
    this.#open.delete(id);
  }

  recorded(id, outcome) {
    this.records += 1;
    if (this.#cut.delete(id)) {
      if (outcome !== "cancelled")
        this.#problem(`${id} was cut off, but its record says ${outcome}`);
      return;
    }
    this.#set(id, "record", outcome);
  }

  failed(id, error) {
    this.#problem(`${id} has no answer: ${error.message}`);
    this.#open.delete(id);
  }

  /** The calls that still lack an answer or a record. */
  get unfinished() {
    return [...this.#open.keys()];
  }

  #set(id, side, outcome) {
    const call = this.#open.get(id);
    if (!call || call[side] !== undefined) {
      this.#problem(`${id} has one ${side} too many: ${outcome}`);
      return;
    }
    call[side] = outcome;
    if (call.answer === undefined || call.record === undefined) return;
    this.#open.delete(id);
    if (call.answer !== call.record) {
      this.#problem(`${id} was answered ${call.answer}, but its record says ${call.record}`);
    }
  }

  #count(outcome) {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  #problem(text) {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(text);
  }
}
