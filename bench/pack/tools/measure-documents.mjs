/** With no documents the average is `NaN`, which no schema accepts: that is how a server's output validation shows. */
export default function measureDocuments({ documents }) {
  let characters = 0;
  let score = 0;
  for (const document of documents) {
    characters += document.text.length;
    score += document.score;
  }
  return { count: documents.length, characters, averageScore: score / documents.length };
}
