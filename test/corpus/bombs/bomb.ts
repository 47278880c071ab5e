import type { Kind } from "../kinds.ts";

/** A file made to do harm, and its expected result. */
export interface Bomb {
  /** The mechanism of the attack. */
  readonly name: string;
  readonly kind: Kind;
  readonly make: () => Uint8Array;
  /** Allowed results; each names the result of `inspect` and that of the decoder. */
  readonly outcomes: readonly string[];
  /** Slow to make or to draw; skipped in the quick run. */
  readonly isHeavy?: boolean | undefined;
  /** Maximum CPU time in ms, if the largest accepted picture takes longer than the usual limit. */
  readonly cpuMsMax?: number | undefined;
}
