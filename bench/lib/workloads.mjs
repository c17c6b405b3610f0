import { makeDocuments } from "../pack/lib/documents.mjs";
import makeDocumentsTool from "../pack/tools/make-documents.mjs";
import measureDocumentsTool from "../pack/tools/measure-documents.mjs";
import { parseSize } from "./size.mjs";

const DOCUMENT_BYTES = JSON.stringify(makeDocuments(1)).length - 1;
const DIRECTIONS = { in: workloadIn, out: workloadOut };

/** Parses `in:1KiB` or `out:10MiB`: calls whose request, or whose answer, is of that size. */
export function workload(name) {
  const [direction, size] = name.split(":");
  if (!Object.hasOwn(DIRECTIONS, direction) || size === undefined) {
    throw new Error(`"${name}" is no workload; write in:1KiB or out:10MiB`);
  }
  const bytes = parseSize(size);
  return { name, bytes, ...DIRECTIONS[direction](bytes) };
}

/** A request of exactly so many bytes. */
function workloadIn(bytes) {
  const empty = messageBody("measure-documents", { documents: [] });
  const count = Math.floor((bytes - empty.length) / DOCUMENT_BYTES);
  if (count < 1) throw new Error(`${bytes} bytes are too few for a request`);
  const input = { documents: makeDocuments(count) };
  const missing = bytes - messageBody("measure-documents", input).length;
  input.documents.at(-1).text += "x".repeat(missing);
  return call("measure-documents", input, measureDocumentsTool(input));
}

/** An answer of as many whole documents as fit into so many bytes. */
function workloadOut(bytes) {
  const input = { count: Math.max(1, Math.floor(bytes / DOCUMENT_BYTES)) };
  return call("make-documents", input, makeDocumentsTool(input));
}

function call(tool, input, output) {
  return { tool, body: messageBody(tool, input), answer: { v: 2, kind: "result", output } };
}

/** A request message; texts in it are ASCII, so its length is its size. */
export function messageBody(tool, input) {
  const ctx = { tenantId: "t1", runId: "r1" };
  return JSON.stringify({ v: 2, kind: "invoke", tool: { id: tool }, input, ctx });
}
