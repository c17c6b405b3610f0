#!/usr/bin/env node
import process from "node:process";
import { text } from "node:stream/consumers";
import type { CommandOutput } from "./commands/command-io.ts";
import { isServe, runCommand } from "./commands/run-command.ts";

const argv = process.argv.slice(2);

if (isServe(argv)) {
  const { nodeHost, runProcess } = await import("./node.ts");
  await runProcess(nodeHost());
} else {
  // The code is left to a natural end: an exit at once would lose what a pipe has not taken yet.
  process.exitCode = await runCommand(argv, {
    environment: process.env,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    readStdin: () => text(process.stdin),
  });
}

function outputOf(stream: NodeJS.WriteStream): CommandOutput {
  // A reader that went away, such as head, is no fault.
  stream.on("error", () => {});
  return { isTerminal: stream.isTTY === true, write: (given) => void stream.write(given) };
}
