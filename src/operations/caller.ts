import type { Principal } from "#domains/keys/principal.ts";

/** Who an operation works for, and the one time that its request sees. */
export interface Caller extends Principal {
  readonly nowMs: number;
}
