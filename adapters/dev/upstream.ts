/** A service that takes the front's requests, and how many of them are under way. */
export class Upstream {
  readonly port: number;
  #underWay = 0;
  #waiting: (() => void)[] = [];

  constructor(port: number) {
    this.port = port;
  }

  /** Counts a request until what is returned is called. */
  enter(): () => void {
    this.#underWay += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#underWay -= 1;
      if (this.#underWay > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Resolves when no request is under way. */
  untilIdle(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
