import { Buffer, constants, isAscii } from "node:buffer";
import { decodeBody as decodeUtf8 } from "../src/body.ts";
import type { DecodeBody } from "../src/body.ts";
import { apply } from "../src/captured.ts";

type Slice = (this: Uint8Array, start: number, end: number) => string;

const isAsciiOnly = isAscii;
const { MAX_STRING_LENGTH } = constants;
const { latin1Slice } = Buffer.prototype as unknown as { latin1Slice: Slice };

/**
 * The `decodeBody` of the runtimes that have Node's `Buffer`. Most bodies are ASCII, which they copy at a fraction of what
 * UTF-8 takes them; on Node a large text then also lies outside of V8's heap, where it costs its collector nothing.
 */
export const decodeBody: DecodeBody = (bytes) =>
  bytes.length <= MAX_STRING_LENGTH && isAsciiOnly(bytes)
    ? apply(latin1Slice, bytes, [0, bytes.length])
    : decodeUtf8(bytes);
