#!/usr/bin/env node
import process from "node:process";
import { text } from "node:stream/consumers";
import type { CommandIo, PackExitListener } from "./commands/command-io.ts";
import { isServe, runCommand } from "./commands/run-command.ts";
import { TOKEN_NAME } from "./config.ts";
import { onProcessExit } from "./process-exit.ts";
import { streamOutput } from "./stream-output.ts";

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
  const stdout = streamOutput(process.stdout, 1);
  const stderr = streamOutput(process.stderr, 2);
  let isDone = false;
  let tellOfExit: PackExitListener = () => undefined;
  onProcessExit((code) => {
    if (isDone) return code;
    stdout.becomeSync();
    stderr.becomeSync();
    const told = tellOfExit({ code, stack: wholeStack() });
    if (told !== undefined) return told;
    stderr.write(`pack code ended the process with exit code ${code}\n`);
    return code || 1;
  });
  const entry = import.meta.url;
  const readStdin = () => text(process.stdin);
  const isAttended = process.stdin.isTTY && stdout.isTerminal;
  const onPackExit = (listener: PackExitListener) => void (tellOfExit = listener);
  const io: CommandIo = {
    entry,
    environment,
    stdout,
    stderr,
    readStdin,
    onPackExit,
    ...(isAttended ? { ask } : {}),
  };
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

/** The stack of this moment, down to what pack code has called. */
function wholeStack(): string {
  Error.stackTraceLimit = 100;
  return new Error("the end").stack ?? "";
}
