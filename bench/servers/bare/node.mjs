import { createServer } from "node:http";
import { announce } from "../announce.mjs";

export function serve(answer) {
  const server = createServer((req, res) => {
    const chunks = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", async () => {
      const text = await answer(Buffer.concat(chunks).toString());
      res.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      res.end(text);
    });
  });
  server.listen({ host: "127.0.0.1", port: 0 }, () => announce(server.address().port));
}
