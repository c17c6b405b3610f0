/** A part of the service that takes what others write. */
export interface FuzzTarget {
  name: string;
  /** Words that get further into it than random bytes do. */
  dictionary: readonly string[];
  /** Throws when one of the target's invariants doesn't hold for an input. */
  check(input: Uint8Array): void;
}
