import { DurableObject } from "cloudflare:workers";
import { LIMITS } from "#api/limits.ts";
import type { PreviewCounts } from "#api/preview-quota.ts";
import type {
  DrawnPicture,
  PreviewQuotaRpc,
  QuotaCall,
  ReservationCall,
  ReserveResult,
} from "#platform/bindings/preview-quota-rpc.ts";
import { clock } from "#platform/clock.ts";
import {
  type BurstRow,
  countOthersAlike,
  countsOf,
  DAY_MS,
  requestsMax,
  unusedAt,
  WINDOW_MS,
} from "./quota-counts.ts";

/**
 * Counts a workspace's previews. One Durable Object per workspace has the day's counter and the burst counter of every
 * key, so that one decision sees both. Each decision runs synchronously over its storage, which makes the counts exact
 * under concurrency and eviction. A reservation has a lease until it is settled or released; after a crash it stops
 * counting when its lease expires. Only waiting calls are in memory.
 */
export class PreviewQuota extends DurableObject implements PreviewQuotaRpc {
  #isReady = false;
  readonly #waiters = new Map<string, Set<() => void>>();

  /** Reads the counters without any write; does not create missing tables. */
  read(call: QuotaCall): PreviewCounts {
    return this.#isStored() ? this.#counts(call) : countsOf(call, unusedAt(call.nowMs));
  }

  /** Counts a request that may need no rendering; false when the key sends far too many requests. */
  async admit(call: QuotaCall): Promise<{ isAdmitted: boolean; counts: PreviewCounts }> {
    const burst = this.#burst(call);
    if (burst.requests >= requestsMax(call)) {
      return { isAdmitted: false, counts: this.#counts(call) };
    }
    this.#writeBurst(call.apiKeyId, { ...burst, requests: burst.requests + 1 });
    await this.#planCleaning(call.nowMs);
    return { isAdmitted: true, counts: this.#counts(call) };
  }

  /** Reserves one preview in both counters, unless a counter is exhausted or an identical preview is being rendered. */
  async reserve(call: ReservationCall): Promise<ReserveResult> {
    const { reservationId, cacheKey, apiKeyId, nowMs } = call;
    const wasSettled = this.#countSettled(cacheKey) > 0;
    const answer = (kind: ReserveResult["kind"]) => ({ kind, wasSettled, counts: this.#counts(call) });
    if (this.#countReservations("reservation_id = ?", reservationId, nowMs) > 0) return answer("reserved");
    if (this.#countLeases(cacheKey, nowMs) > 0) return answer("busy");
    const { product, burst } = this.#counts(call);
    if (product.remaining === 0 || burst.remaining === 0) return answer("refused");
    const counted = this.#burst(call);
    this.#sql().exec(
      "INSERT OR REPLACE INTO reservations (reservation_id, day, cache_key, api_key_id, window_start, lease_ends_at) VALUES (?, ?, ?, ?, ?, ?)",
      reservationId,
      this.#day(nowMs),
      cacheKey,
      apiKeyId,
      counted.window_start,
      nowMs + LIMITS.previewLeaseMs,
    );
    this.#writeBurst(apiKeyId, { ...counted, rendered: counted.rendered + 1 });
    await this.#planCleaning(nowMs);
    return answer("reserved");
  }

  /** Restarts the lease. False when it has expired and another reservation has taken its place. */
  renew(call: ReservationCall): { isHeld: boolean; counts: PreviewCounts } {
    const { reservationId, nowMs } = call;
    const isLive = this.#countReservations("reservation_id = ?", reservationId, nowMs) > 0;
    const isFree = this.#counts(call).product.remaining > 0 && this.#countLeases(call.cacheKey, nowMs) === 0;
    if (!isLive && !isFree) return { isHeld: false, counts: this.#counts(call) };
    this.#sql().exec(
      "UPDATE reservations SET lease_ends_at = ? WHERE reservation_id = ?",
      nowMs + LIMITS.previewLeaseMs,
      reservationId,
    );
    return { isHeld: true, counts: this.#counts(call) };
  }

  /** Makes a reservation permanent. May be repeated. */
  settle(call: ReservationCall): PreviewCounts {
    this.#sql().exec(
      "UPDATE reservations SET lease_ends_at = NULL WHERE reservation_id = ?",
      call.reservationId,
    );
    this.#wake(call.cacheKey);
    return this.#counts(call);
  }

  /** Counts a picture; false when too many similar pictures of the day came from other files. */
  countAlike(call: QuotaCall & DrawnPicture): { isAllowed: boolean; counts: PreviewCounts } {
    const sql = this.#sql();
    const day = this.#day(call.nowMs);
    const drawn = sql.exec<DrawnPicture>("SELECT files, likeness FROM pictures WHERE day = ?", day);
    const isAllowed = countOthersAlike(drawn.toArray(), call) < LIMITS.similarPreviewsPerDay;
    if (isAllowed) {
      sql.exec(
        "INSERT OR IGNORE INTO pictures (day, files, likeness) VALUES (?, ?, ?)",
        day,
        call.files,
        call.likeness,
      );
    }
    return { isAllowed, counts: this.#counts(call) };
  }

  /**
   * Releases a reservation. The burst counter keeps its count if rendering was attempted, because a failed attempt
   * costs as much as a successful one. May be repeated; a settled reservation stays.
   */
  release(call: ReservationCall, wasAttempted: boolean): PreviewCounts {
    const [released] = this.#sql()
      .exec<{ api_key_id: string; window_start: number }>(
        "DELETE FROM reservations WHERE reservation_id = ? AND lease_ends_at IS NOT NULL RETURNING api_key_id, window_start",
        call.reservationId,
      )
      .toArray();
    if (released !== undefined && !wasAttempted) {
      this.#sql().exec(
        "UPDATE burst_windows SET rendered = MAX(0, rendered - 1) WHERE api_key_id = ? AND window_start = ?",
        released.api_key_id,
        released.window_start,
      );
    }
    this.#wake(call.cacheKey);
    return this.#counts(call);
  }

  /** Waits at most `waitMsMax` until no preview with this cache key is being rendered. */
  async untilFree(cacheKey: string, nowMs: number, waitMsMax: number): Promise<void> {
    if (this.#countLeases(cacheKey, nowMs) === 0) return;
    await new Promise<void>((resolve) => {
      const waiters = this.#waiters.get(cacheKey) ?? new Set();
      this.#waiters.set(cacheKey, waiters);
      const end = () => {
        clearTimeout(timer);
        waiters.delete(end);
        if (waiters.size === 0) this.#waiters.delete(cacheKey);
        resolve();
      };
      const timer = setTimeout(end, waitMsMax);
      waiters.add(end);
    });
  }

  /** Deletes expired rows; when none are left, the whole storage. */
  override async alarm(): Promise<void> {
    const nowMs = clock.now();
    const sql = this.#sql();
    sql.exec("DELETE FROM reservations WHERE day < ?", Math.floor(nowMs / DAY_MS) - 1);
    sql.exec("DELETE FROM pictures WHERE day < ?", Math.floor(nowMs / DAY_MS) - 1);
    sql.exec("DELETE FROM burst_windows WHERE window_start < ?", nowMs - 2 * WINDOW_MS);
    const { rowsLeft } = sql
      .exec<{ rowsLeft: number }>(
        "SELECT (SELECT COUNT(*) FROM reservations) + (SELECT COUNT(*) FROM burst_windows) AS rowsLeft",
      )
      .one();
    if (rowsLeft > 0) {
      await this.ctx.storage.setAlarm(nowMs + DAY_MS);
      return;
    }
    this.#isReady = false;
    await this.ctx.storage.deleteAll();
  }

  #wake(cacheKey: string): void {
    for (const end of [...(this.#waiters.get(cacheKey) ?? [])]) end();
  }

  /** Creates the tables at the first use and after the storage was emptied. */
  #sql(): SqlStorage {
    const { sql } = this.ctx.storage;
    if (this.#isReady) return sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS reservations (
      reservation_id TEXT PRIMARY KEY, day INTEGER NOT NULL, cache_key TEXT NOT NULL, api_key_id TEXT NOT NULL,
      window_start INTEGER NOT NULL, lease_ends_at INTEGER) STRICT`);
    sql.exec("CREATE INDEX IF NOT EXISTS reservations_by_day ON reservations (day)");
    sql.exec(`CREATE TABLE IF NOT EXISTS burst_windows (
      api_key_id TEXT PRIMARY KEY, window_start INTEGER NOT NULL, rendered INTEGER NOT NULL,
      requests INTEGER NOT NULL) STRICT`);
    sql.exec(`CREATE TABLE IF NOT EXISTS pictures (
      day INTEGER NOT NULL, files TEXT NOT NULL, likeness BLOB NOT NULL, PRIMARY KEY (day, files, likeness)) STRICT`);
    this.#isReady = true;
    return sql;
  }

  /** The UTC day to count. If the clock went backwards, the day of the latest reservation. */
  #day(nowMs: number): number {
    const { last } = this.#sql()
      .exec<{ last: number | null }>("SELECT MAX(day) AS last FROM reservations")
      .one();
    return Math.max(Math.floor(nowMs / DAY_MS), last ?? 0);
  }

  /** Reservations that count: settled ones, and those with a valid lease. */
  #countReservations(
    condition: "reservation_id = ?" | "day = ?",
    value: string | number,
    nowMs: number,
  ): number {
    return this.#sql()
      .exec<{ live: number }>(
        `SELECT COUNT(*) AS live FROM reservations WHERE ${condition} AND (lease_ends_at IS NULL OR lease_ends_at > ?)`,
        value,
        nowMs,
      )
      .one().live;
  }

  /** Reservations of a cache key with a valid lease. */
  #countLeases(cacheKey: string, nowMs: number): number {
    return this.#sql()
      .exec<{ live: number }>(
        "SELECT COUNT(*) AS live FROM reservations WHERE cache_key = ? AND lease_ends_at > ?",
        cacheKey,
        nowMs,
      )
      .one().live;
  }

  /** Settled reservations of a cache key. */
  #countSettled(cacheKey: string): number {
    return this.#sql()
      .exec<{ settled: number }>(
        "SELECT COUNT(*) AS settled FROM reservations WHERE cache_key = ? AND lease_ends_at IS NULL",
        cacheKey,
      )
      .one().settled;
  }

  #burst({ apiKeyId, nowMs }: QuotaCall): BurstRow {
    const unused = unusedAt(nowMs).burst;
    const [stored] = this.#sql()
      .exec<BurstRow>(
        "SELECT window_start, rendered, requests FROM burst_windows WHERE api_key_id = ?",
        apiKeyId,
      )
      .toArray();
    return stored !== undefined && stored.window_start >= unused.window_start ? stored : unused;
  }

  #writeBurst(apiKeyId: string, burst: BurstRow): void {
    this.#sql().exec(
      "INSERT OR REPLACE INTO burst_windows (api_key_id, window_start, rendered, requests) VALUES (?, ?, ?, ?)",
      apiKeyId,
      burst.window_start,
      burst.rendered,
      burst.requests,
    );
  }

  #counts(call: QuotaCall): PreviewCounts {
    const day = this.#day(call.nowMs);
    const usedOfDay = this.#countReservations("day = ?", day, call.nowMs);
    return countsOf(call, { day, usedOfDay, burst: this.#burst(call) });
  }

  #isStored(): boolean {
    if (this.#isReady) return true;
    const { sql } = this.ctx.storage;
    return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'burst_windows'").toArray().length > 0;
  }

  /** Sets the alarm while anything is stored. */
  async #planCleaning(nowMs: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(nowMs + 2 * DAY_MS);
  }
}
