import { makeDocuments } from "../lib/documents.mjs";

let documents = [];

/** Keeps what it made: what a call costs is then the server's, not the tool's. */
export default function returnDocuments({ count }) {
  if (documents.length !== count) documents = makeDocuments(count);
  return { documents };
}
