import { DurableObject } from "cloudflare:workers";
import { clock } from "../platform/clock.ts";

/** One request counted. */
export interface WindowCount {
  readonly isAllowed: boolean;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

interface StoredWindow {
  readonly windowStartMs: number;
  readonly windowMs: number;
  readonly used: number;
}

/**
 * Counts one fixed window: one object a key and route family.
 * The count lives in storage, so that an eviction in mid-window forgets nothing; an ended window is removed,
 * so that subjects that never come back leave nothing behind.
 */
export class RateLimitWindow extends DurableObject {
  /** Counts a request against `limit` in the window of `windowMs` that holds `nowMs`. */
  async count(limit: number, windowMs: number, nowMs: number): Promise<WindowCount> {
    const windowStartMs = Math.floor(nowMs / windowMs) * windowMs;
    const stored = this.ctx.storage.kv.get<StoredWindow>("window");
    // A clock that steps back must not open a fresh window.
    const isSame = stored !== undefined && stored.windowStartMs >= windowStartMs;
    const current = isSame ? stored : { windowStartMs, windowMs, used: 0 };
    const resetsAtMs = current.windowStartMs + windowMs;
    if (current.used >= limit) return { isAllowed: false, remaining: 0, resetsAtMs };
    const used = current.used + 1;
    this.ctx.storage.kv.put<StoredWindow>("window", { ...current, windowMs, used });
    // A window after its end, so that a caller whose clock lags does not find it gone.
    if (!isSame) await this.ctx.storage.setAlarm(Date.now() + resetsAtMs - nowMs + windowMs);
    return { isAllowed: true, remaining: limit - used, resetsAtMs };
  }

  /** Removes a window that has ended; a younger one has put the alarm off. */
  override async alarm(): Promise<void> {
    const stored = this.ctx.storage.kv.get<StoredWindow>("window");
    if (stored === undefined || stored.windowStartMs + stored.windowMs > clock.now()) return;
    await this.ctx.storage.deleteAll();
  }
}
