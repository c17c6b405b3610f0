import process from "node:process";

/** Tells the harness where a server listens, by the record that a pack service writes. */
export function announce(port) {
  process.stderr.write(`${JSON.stringify({ event: "listening", port })}\n`);
}
