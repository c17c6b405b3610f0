import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";

/** Whether a command can be run on a terminal of its own here: by `script` of util-linux. */
export const hasTerminals = spawnSync("script", ["-qefc", "exit 3", "/dev/null"]).status === 3;

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** A command that runs on a terminal. */
export interface Terminal {
  /** What has been written, without colours. */
  text(): string;
  /** Resolves to the match when what has been written has one. @throws Error when the command ends before */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Presses Ctrl-C. */
  interrupt(): void;
  /** The command's exit code. */
  readonly exited: Promise<number>;
}

/** Starts a shell command on a terminal; what is left of it after the test is hung up on. */
export function openTerminal(command: string, { cwd, env }: TerminalOptions): Terminal {
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env: { ...env, SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let written = "";
  let hasEnded = false;
  child.stdout.on("data", (chunk) => (written += chunk));
  const exited = once(child, "close").then(([code]) => {
    hasEnded = true;
    return Number(code);
  });
  onTestFinished(async () => {
    if (!hasEnded) child.kill("SIGKILL");
    await exited;
  });
  const text = () => asShown(written);
  return {
    text,
    async until(pattern) {
      for (;;) {
        const match = pattern.exec(text());
        if (match) return match;
        if (hasEnded) throw new Error(`"${command}" ended before ${pattern}; it wrote:\n${text()}`);
        await Promise.race([once(child.stdout, "data"), exited]);
      }
    },
    interrupt: () => void child.stdin.write("\u0003"),
    exited,
  };
}

/** What stands on the screen: a line that is written anew replaces what was there. */
function asShown(written: string): string {
  const toLineStart = /\u001b\[1?G/g;
  const text = stripVTControlCharacters(written.replaceAll(toLineStart, "\r"));
  const lines = text.replaceAll(/\r+\n/g, "\n").split("\n");
  return lines.map((line) => line.slice(line.lastIndexOf("\r") + 1)).join("\n");
}
