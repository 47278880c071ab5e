import type { Kind } from "../kinds.ts";

/** A file made to hurt, and what it must come to. */
export interface Bomb {
  /** Says the mechanism. */
  readonly name: string;
  readonly kind: Kind;
  readonly make: () => Uint8Array;
  /** `inspect`'s word / the decoder's; one of them must come. */
  readonly outcomes: readonly string[];
  /** Takes long to make or to draw, and is left out of the quick run. */
  readonly isHeavy?: boolean | undefined;
  /** CPU time allowed, where the contract's own largest picture takes longer than the usual bound. */
  readonly cpuMsMax?: number | undefined;
}
