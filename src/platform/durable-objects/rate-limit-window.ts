import { DurableObject } from "cloudflare:workers";
import { clock } from "../clock.ts";

/** Result of counting one request. */
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

/** The count in storage, and when it was written. */
interface Written {
  readonly used: number;
  readonly atMs: number;
}

/** A count is written when the stored count is this old … */
const UNWRITTEN_MS_MAX = 1_000;
/** … or when the stored count lags by more than this fraction of the limit. */
const UNWRITTEN_PART_MAX = 1 / 20;

/** Maximum number of requests that are counted only in memory, and lost if the object ends. */
export const unwrittenMaxOf = (limit: number): number => Math.floor(limit * UNWRITTEN_PART_MAX);

/** The answer does not wait until the write is on disk. */
const UNCONFIRMED = { allowUnconfirmed: true } as const;

const NEVER: Written = { used: 0, atMs: Number.NEGATIVE_INFINITY };

/**
 * Counts the requests of one fixed window; there is one object per subject and window name. While the object lives, a
 * window admits exactly its limit.
 *
 * Counts are in memory. A window's first count and the count that fills it are written to storage at once; in between,
 * a count is written after a second or `unwrittenMaxOf(limit)` requests, whichever comes first. Answers wait for no
 * write. If the object ends in mid-window (deployment, eviction, crash), it loses at most one second's requests, and
 * never more than a twentieth of the limit. A full window stays full. Exact windows (guesses, sign-ups, trials) lose
 * nothing: each count is written before its answer.
 *
 * An alarm deletes an ended window, so that unused subjects leave nothing behind.
 */
export class RateLimitWindow extends DurableObject {
  /** The current window; undefined until this object's first count. */
  #current: StoredWindow | undefined;
  #written = NEVER;

  /**
   * Counts a request against `limit` in the window of `windowMs` that contains `nowMs`. `isExact`: the count must never
   * be lost.
   */
  async count(limit: number, windowMs: number, nowMs: number, isExact = false): Promise<WindowCount> {
    const windowStartMs = Math.floor(nowMs / windowMs) * windowMs;
    const known = this.#current ?? this.#restore();
    // If the clock goes backwards, no new window opens.
    const isSame = known !== undefined && known.windowStartMs >= windowStartMs;
    const { used: usedBefore, ...window } = isSame ? known : { windowStartMs, used: 0 };
    const resetsAtMs = window.windowStartMs + windowMs;
    if (usedBefore >= limit) return { isAllowed: false, remaining: 0, resetsAtMs };
    const used = usedBefore + 1;
    this.#current = { ...window, windowMs, used };
    if (!isSame) {
      this.#written = NEVER;
      // Fires one window after the end, for callers whose clock lags.
      void this.ctx.storage.setAlarm(Date.now() + resetsAtMs - nowMs + windowMs, UNCONFIRMED);
    }
    if (isExact || used >= limit || this.#isOverdue(used, limit, nowMs)) {
      // A failed write ends the object, with the effect of an eviction, so nothing awaits it.
      void this.ctx.storage.put("window", this.#current, isExact ? {} : UNCONFIRMED);
      this.#written = { used, atMs: nowMs };
    }
    return { isAllowed: true, remaining: limit - used, resetsAtMs };
  }

  #restore(): StoredWindow | undefined {
    this.#current = this.ctx.storage.kv.get<StoredWindow>("window");
    this.#written = { ...NEVER, used: this.#current?.used ?? 0 };
    return this.#current;
  }

  /** Whether storage lags further behind than allowed. */
  #isOverdue(used: number, limit: number, nowMs: number): boolean {
    const ageMs = nowMs - this.#written.atMs;
    // If the clock went backwards, elapsed time is unknown.
    const isRecent = ageMs >= 0 && ageMs < UNWRITTEN_MS_MAX;
    return !isRecent || used - this.#written.used > unwrittenMaxOf(limit);
  }

  /** Deletes an ended window. A later window postpones the alarm. */
  override async alarm(): Promise<void> {
    const stored = this.ctx.storage.kv.get<StoredWindow>("window");
    if (stored === undefined || stored.windowStartMs + stored.windowMs > clock.now()) return;
    await this.ctx.storage.deleteAll();
    this.#current = undefined;
  }
}
