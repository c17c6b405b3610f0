const TAGS = ["quarterly", "finance"];
const TEXT =
  "Revenue grew in every region; costs fell where the new line of products was sold first. ";

/** Documents of one length as JSON: a size in bytes is then a number of documents. */
export function makeDocuments(count) {
  return Array.from({ length: count }, (_, index) => makeDocument(index));
}

function makeDocument(index) {
  const number = String(index).padStart(7, "0");
  // Eighths that are all five characters long.
  const score = ((index % 4) * 2 + 1) / 8;
  return { id: `d${number}`, title: `Report ${number}`, score, tags: TAGS, text: TEXT };
}
