import { Ajv } from "ajv";

const ajv = new Ajv({ allErrors: true, strict: false, strictNumbers: true });

/** A check that lists every flaw, for the peers that leave the validator to their user. */
export function compile(schema) {
  return ajv.compile(schema);
}
