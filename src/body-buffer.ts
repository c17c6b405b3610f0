const EMPTY = new Uint8Array();

type Allocate = (length: number) => Uint8Array;

const cleared: Allocate = (length) => new Uint8Array(length);

/**
 * What has come of a body. One buffer, not a list of chunks: a caller may send its body byte by byte, and a chunk
 * costs a hundred times its byte.
 */
export class BodyBuffer {
  readonly #limitBytes: number;
  readonly #declaredBytes: number;
  readonly #allocate: Allocate;
  #bytes: Uint8Array = EMPTY;
  #length = 0;

  /**
   * @param declaredBytes what the caller says it sends: for a body of so much, memory is taken once
   * @param allocate gives memory that need not be cleared
   */
  constructor(limitBytes: number, declaredBytes = 0, allocate: Allocate = cleared) {
    this.#limitBytes = limitBytes;
    this.#declaredBytes = declaredBytes;
    this.#allocate = allocate;
  }

  /** Takes a chunk in. Returns whether the body is still within its limit; if not, the chunk is left out. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#limitBytes) return false;
    // Most bodies are one chunk, which needs no copy.
    if (this.#length === 0) this.#bytes = chunk;
    else this.#append(chunk, length);
    this.#length = length;
    return true;
  }

  /** The body so far; the buffer is empty afterwards. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#bytes = EMPTY;
    this.#length = 0;
  }

  #append(chunk: Uint8Array, length: number): void {
    if (length > this.#bytes.length) {
      const isAsDeclared = length <= this.#declaredBytes;
      const size = isAsDeclared ? this.#declaredBytes : 2 * length;
      const larger = this.#allocate(Math.min(size, this.#limitBytes));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
  }
}
