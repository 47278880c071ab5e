import type { Principal } from "#domains/keys/principal.ts";

/** The authenticated caller, and the request's time. */
export interface Caller extends Principal {
  readonly nowMs: number;
}
