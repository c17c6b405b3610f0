import { once } from "node:events";
import type { Socket } from "node:net";
import type { ProcessService } from "../contract/target.ts";
import type { HostileInput } from "./http-inputs.ts";
import { readWire } from "./http-wire.ts";

/** Longest wait for a connection's end, in milliseconds: only a service that hangs reaches it. */
const MAX_WAIT_MS = 20_000;

export interface ExchangeOptions {
  service: ProcessService;
  input: HostileInput;
  /** The outcomes after which nothing more is to come. */
  accepted: readonly string[];
  jsonRefusals: boolean;
}

/** Plays one input on a connection of its own. Returns the words of what came, joined by a space. */
export async function playInput(options: ExchangeOptions): Promise<string> {
  const socket = await options.service.connect();
  const connection = new Connection(socket, options);
  const timer = setTimeout(() => connection.giveUp(), MAX_WAIT_MS);
  try {
    await connection.play();
    return connection.outcome;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #options: ExchangeOptions;
  /** A connection that is closed on bytes nobody read is reset: a close as well. */
  readonly #closed: Promise<unknown>;
  #received = "";
  #isOpen = false;

  constructor(socket: Socket, options: ExchangeOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#closed = new Promise((resolve) => socket.once("close", resolve));
    socket.setNoDelay();
    socket.on("data", (data) => {
      this.#received += data.toString("latin1");
    });
  }

  giveUp(): void {
    this.#isOpen = true;
    this.#socket.destroy();
  }

  get outcome(): string {
    const { words, rest } = this.#read();
    if (rest !== "") words.push(`rest:${JSON.stringify(rest.slice(0, 60))}`);
    if (this.#isOpen) words.push("open");
    return words.join(" ");
  }

  async play(): Promise<void> {
    const { input, accepted } = this.#options;
    for (const step of input.steps) {
      if (step === "answer") await this.#until(() => this.#words.length > 0);
      else await this.#write(step);
    }
    if (input.ending === "hang-up") this.#socket.destroy();
    else if (input.ending === "half-close") this.#socket.end();
    else {
      await this.#until(() => this.#words !== "" && accepted.includes(this.#words));
      // Whoever refuses what it can't read has to close the connection as well.
      if (input.ending === "leave") this.#socket.destroy();
      else if (!this.#words.endsWith("refused")) this.#socket.end();
    }
    await this.#closed;
  }

  get #words(): string {
    return this.#read().words.join(" ");
  }

  #read() {
    const { input, jsonRefusals } = this.#options;
    const { methods } = input;
    return readWire(this.#received, this.#socket.closed, {
      jsonRefusals,
      ...(methods && { methods }),
    });
  }

  async #until(isMet: () => boolean): Promise<void> {
    while (!isMet() && !this.#socket.closed && !this.#socket.destroyed)
      await Promise.race([once(this.#socket, "data"), this.#closed]).catch(() => {});
  }

  /** Resolves when the bytes have left, so that the next are a packet of their own. */
  #write(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(Buffer.from(text, "latin1"), () => resolve());
    });
  }
}
