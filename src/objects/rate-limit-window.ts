import { DurableObject } from "cloudflare:workers";

/** One request counted. */
export interface WindowCount {
  readonly isAllowed: boolean;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

/**
 * Counts one fixed window: one object a key and route family.
 * The count lives in storage, so that an eviction in mid-window forgets nothing.
 */
export class RateLimitWindow extends DurableObject {
  /** Counts a request against `limit` in the window of `windowMs` that holds `nowMs`. */
  async count(limit: number, windowMs: number, nowMs: number): Promise<WindowCount> {
    const windowStartMs = Math.floor(nowMs / windowMs) * windowMs;
    const stored = this.ctx.storage.kv.get<{ windowStartMs: number; used: number }>("window");
    // A clock that steps back must not open a fresh window.
    const current = stored && stored.windowStartMs >= windowStartMs ? stored : { windowStartMs, used: 0 };
    const resetsAtMs = current.windowStartMs + windowMs;
    if (current.used >= limit) return { isAllowed: false, remaining: 0, resetsAtMs };
    const used = current.used + 1;
    this.ctx.storage.kv.put("window", { windowStartMs: current.windowStartMs, used });
    return { isAllowed: true, remaining: limit - used, resetsAtMs };
  }
}
