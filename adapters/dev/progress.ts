import type { Clock } from "../../src/client/caller-scope.ts";
import { visible } from "../paint.ts";
import type { Paint } from "../paint.ts";
import type { CommandOutput } from "../commands/command-io.ts";

const FRAMES = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const FRAME_MS = 100;
/** What takes less, in milliseconds, is not worth a line that comes and goes. */
const SHOWN_AFTER_MS = 300;
const CLEAR_LINE = "\r\u001b[K";

/** The line at the end of a terminal that says what is going on. Elsewhere there is none. */
export class Progress {
  readonly #output: CommandOutput;
  readonly #clock: Clock;
  readonly #paint: Paint;
  #label = "";
  #since = 0;
  #frame = 0;
  #isShown = false;
  #cancel: (() => void) | undefined;

  constructor(output: CommandOutput, clock: Clock, paint: Paint) {
    this.#output = output;
    this.#clock = clock;
    this.#paint = paint;
  }

  start(label: string): void {
    this.stop();
    if (!this.#output.isTerminal) return;
    this.#label = visible(label);
    this.#since = this.#clock.now();
    this.#cancel = this.#clock.startTimer(SHOWN_AFTER_MS, () => this.#draw());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.clear();
  }

  /** Makes room for a line of something else; the next frame brings the progress back. */
  clear(): void {
    if (this.#isShown) this.#output.write(CLEAR_LINE);
    this.#isShown = false;
  }

  #draw(): void {
    const seconds = ((this.#clock.now() - this.#since) / 1_000).toFixed(1);
    const frame = FRAMES[this.#frame++ % FRAMES.length] as string;
    const line = `${this.#paint("cyan", frame)} ${this.#label} ${this.#paint("dim", `${seconds} s`)}`;
    this.#output.write(CLEAR_LINE + line);
    this.#isShown = true;
    this.#cancel = this.#clock.startTimer(FRAME_MS, () => this.#draw());
  }
}
