import type { Context } from "hono";
import { refuse } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { createSlots } from "../platform/slots.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";
import { outliveClient } from "./outlive-client.ts";

/** Longer than a request that hashes takes, and than one may live on after its client has gone. */
const HELD_MS_MAX = 30_000;

/** When to come again: by then the ones before have ended. */
const RETRY_AFTER_MS = 2_000;

const slots = createSlots(LIMITS.passwordRequestsAtOnceMax, HELD_MS_MAX);

/**
 * Runs work that hashes passwords, in one of the isolate's few places for it; 429 SIGN_IN_BUSY where none is free. Each
 * hash holds the isolate's one thread for 0.2 s: whoever waits in line for it would keep every other request waiting.
 * The work goes on when its client hangs up, so that the place is given back.
 */
export async function withPasswordSlot<T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> {
  const release = slots.take(c.var.nowMs);
  if (release === null) {
    throw new RefusedRequest({
      ...refuse("SIGN_IN_BUSY", "As many passwords are being checked as may be at once."),
      retryAfterSeconds: RETRY_AFTER_MS / 1_000,
      fullWindow: {
        limit: LIMITS.passwordRequestsAtOnceMax,
        resetsAtMs: c.var.nowMs + RETRY_AFTER_MS,
      },
    });
  }
  return outliveClient(c, work().finally(release));
}
