import type { Kind } from "../kinds.ts";

/** A file made to do harm, and its expected result. */
export interface Bomb {
  /** The mechanism of the attack. */
  readonly name: string;
  readonly kind: Kind;
  readonly make: () => Uint8Array;
  /** Allowed results, each of `inspect` and the decoder. */
  readonly outcomes: readonly string[];
  /** Slow to make or to draw; skipped in the quick run. */
  readonly isHeavy?: boolean | undefined;
  /** CPU time allowed, if the largest accepted picture takes longer than the usual limit. */
  readonly cpuMsMax?: number | undefined;
}
