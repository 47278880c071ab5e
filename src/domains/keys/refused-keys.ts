import { LRUCache } from "lru-cache";
import { type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";

/**
 * Counts this isolate's key lookups that ended in a refusal, in fixed windows: by network for keys that anyone could
 * have invented, by the key's hash for all others. A lookup counts when it ends, so that a burst of requests with a
 * valid key passes.
 */
export interface RefusedKeys {
  /**
   * Null while the subject is within its limit. Beyond it, 429 for a network, and the last lookup's refusal for a key.
   * A key is looked up again after `LIMITS.keyMemoryMs`, because a suspended workspace may be resumed.
   */
  refusal(subject: string, nowMs: number): Refusal | null;
  /** Counts a refused lookup; `refusal` is given for a key's hash. */
  count(subject: string, nowMs: number, refusal?: Refusal): void;
}

/** Maximum number of networks and keys counted, about a megabyte. */
const SUBJECTS_MAX = 10_000;

interface Window {
  readonly resetsAtMs: number;
  readonly used: number;
  readonly last: Refusal | undefined;
  readonly countedAtMs: number;
}

export function createRefusedKeys(): RefusedKeys {
  const windows = new LRUCache<string, Window>({ max: SUBJECTS_MAX });
  const limit = LIMITS.refusedKeysPerWindowMax;
  const windowMs = LIMITS.rateLimitWindowMs;
  return {
    refusal(subject, nowMs) {
      const window = windows.get(subject);
      if (window === undefined || window.used < limit || nowMs >= window.resetsAtMs) return null;
      const { resetsAtMs, last, countedAtMs } = window;
      if (last !== undefined && nowMs >= countedAtMs + LIMITS.keyMemoryMs) return null;
      return (
        last ?? {
          ...refuse("RATE_LIMITED", `More than ${limit} requests with invalid keys in this window.`, {
            family: "refused-keys",
            limit,
          }),
          retryAfterSeconds: (resetsAtMs - nowMs) / 1_000,
          fullWindow: { limit, resetsAtMs },
        }
      );
    },
    count(subject, nowMs, last) {
      const resetsAtMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
      const known = windows.get(subject);
      const used = known?.resetsAtMs === resetsAtMs ? known.used : 0;
      windows.set(subject, { resetsAtMs, used: used + 1, last, countedAtMs: nowMs });
    },
  };
}
