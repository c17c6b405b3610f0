#!/usr/bin/env node
import { writeSync } from "node:fs";
import process from "node:process";
import { text } from "node:stream/consumers";
import type { CommandOutput } from "./commands/command-io.ts";
import { isServe, runCommand } from "./commands/run-command.ts";
import { TOKEN_NAME } from "./config.ts";

const argv = process.argv.slice(2);

if (isServe(argv)) {
  const { nodeHost, runProcess } = await import("./node.ts");
  await runProcess(nodeHost());
} else {
  await runToExit();
}

/**
 * Runs a command and ends the process, whatever pack code that the command loaded has left running. Such code never sees the
 * token, and can't pass its own exit for the command's success.
 */
async function runToExit(): Promise<void> {
  const environment = { ...process.env };
  delete process.env[TOKEN_NAME];
  const { exit } = process;
  const stdout = outputOf(process.stdout);
  const stderr = outputOf(process.stderr);
  let isDone = false;
  process.on("exit", (code) => {
    if (isDone) return;
    writeSync(2, `pack code ended the process with exit code ${code}\n`);
    process.exitCode = code || 1;
  });
  const entry = import.meta.url;
  const readStdin = () => text(process.stdin);
  const isAttended = process.stdin.isTTY && stdout.isTerminal;
  const io = { entry, environment, stdout, stderr, readStdin, ...(isAttended ? { ask } : {}) };
  const code = await runCommand(argv, io).catch((fault: unknown) => {
    isDone = true;
    throw fault;
  });
  // An exit at once would lose what a pipe has not taken yet.
  await Promise.all([stdout.written(), stderr.written()]);
  isDone = true;
  exit(code);
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

interface StreamOutput extends CommandOutput {
  /** Resolves when everything that was written is on its way, or never will be. */
  written(): Promise<void>;
}

function outputOf(stream: NodeJS.WriteStream): StreamOutput {
  let last = Promise.resolve();
  // A reader that went away, such as head, is no fault.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    write(given) {
      last = new Promise((resolve) => void stream.write(given, () => resolve()));
    },
    written: () => last,
  };
}
