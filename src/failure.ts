import type { ErrorCode, Issue, TargetKind } from "./protocol.ts";

/** Which pack code an answer is about, as far as the request named it. */
export interface Subject {
  target: TargetKind;
  id: string;
}

interface Details {
  cause?: unknown;
  issues?: readonly Issue[];
  subject?: Subject | undefined;
}

/** Why a call has no result. Every stage of a call returns either its value or one of these. */
export class Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Details;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    this.code = code;
    this.message = message;
    this.details = details;
  }
}
