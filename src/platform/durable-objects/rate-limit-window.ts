import { DurableObject } from "cloudflare:workers";
import { clock } from "../clock.ts";

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

/** What is in storage of the present window, and since when. */
interface Written {
  readonly used: number;
  readonly atMs: number;
}

/** A count is written when what is in storage is this old … */
const UNWRITTEN_MS_MAX = 1_000;
/** … or when more than this part of the limit is not in storage. */
const UNWRITTEN_PART_MAX = 1 / 20;

/** Requests of a limit that may stand in memory alone, and that the end of an object may so lose. */
export const unwrittenMaxOf = (limit: number): number => Math.floor(limit * UNWRITTEN_PART_MAX);

/** The answer is not held back until the write is on disk. */
const UNCONFIRMED = { allowUnconfirmed: true } as const;

const NEVER: Written = { used: 0, atMs: Number.NEGATIVE_INFINITY };

/**
 * Counts one fixed window: one object a key and route family. While the object lives, a window lets through exactly
 * its limit.
 *
 * It counts in memory. Storage gets the first count of a window, the one that fills it, and between them at most one
 * a second or one in `unwrittenMaxOf(limit)`, whichever comes first; answers wait for no write. An object that ends in
 * mid-window (deployment, eviction, crash) so loses at most the requests of a second and at most a twentieth of the
 * limit, and a full window is not opened again. An exact window (of guesses, sign-ups and
 * trials) loses nothing: each of its counts is written before it is answered.
 *
 * An ended window is removed, so that subjects that never come back leave nothing behind.
 */
export class RateLimitWindow extends DurableObject {
  /** The present window; undefined before the first count of this object's life. */
  #current: StoredWindow | undefined;
  #written = NEVER;

  /**
   * Counts a request against `limit` in the window of `windowMs` that holds `nowMs`. `isExact`: no count may be
   * forgotten.
   */
  async count(limit: number, windowMs: number, nowMs: number, isExact = false): Promise<WindowCount> {
    const windowStartMs = Math.floor(nowMs / windowMs) * windowMs;
    const known = this.#current ?? this.#restore();
    // A clock that steps back must not open a fresh window.
    const isSame = known !== undefined && known.windowStartMs >= windowStartMs;
    const { used: usedBefore, ...window } = isSame ? known : { windowStartMs, used: 0 };
    const resetsAtMs = window.windowStartMs + windowMs;
    if (usedBefore >= limit) return { isAllowed: false, remaining: 0, resetsAtMs };
    const used = usedBefore + 1;
    this.#current = { ...window, windowMs, used };
    if (!isSame) {
      this.#written = NEVER;
      // A window after its end, so that a caller whose clock lags does not find it gone.
      void this.ctx.storage.setAlarm(Date.now() + resetsAtMs - nowMs + windowMs, UNCONFIRMED);
    }
    if (isExact || used >= limit || this.#isOverdue(used, limit, nowMs)) {
      // Storage that fails ends the object, which then is as one that was evicted: nothing awaits it here.
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

  /** Whether storage lags further behind than it may. */
  #isOverdue(used: number, limit: number, nowMs: number): boolean {
    const ageMs = nowMs - this.#written.atMs;
    // Of a clock that steps back nobody knows how long ago it was.
    const isRecent = ageMs >= 0 && ageMs < UNWRITTEN_MS_MAX;
    return !isRecent || used - this.#written.used > unwrittenMaxOf(limit);
  }

  /** Removes a window that has ended; a younger one has put the alarm off. */
  override async alarm(): Promise<void> {
    const stored = this.ctx.storage.kv.get<StoredWindow>("window");
    if (stored === undefined || stored.windowStartMs + stored.windowMs > clock.now()) return;
    await this.ctx.storage.deleteAll();
    this.#current = undefined;
  }
}
