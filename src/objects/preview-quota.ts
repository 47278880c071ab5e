import { DurableObject } from "cloudflare:workers";
import { LIMITS } from "../contract/limits.ts";
import type { PreviewCounts } from "../contract/preview-allowance.ts";
import { clock } from "../platform/clock.ts";
import {
  type BurstRow,
  countsOf,
  DAY_MS,
  type QuotaQuestion,
  requestsMax,
  unusedAt,
  WINDOW_MS,
} from "./preview-counts.ts";

/** What is to be drawn, under a unit id that the caller made: asking again with it reserves nothing more. */
export interface UnitRequest extends QuotaQuestion {
  readonly unitId: string;
  /** Equal subjects are drawn one at a time. */
  readonly subject: string;
}

/** `busy`: an equal preview is being drawn. `refused`: an allowance is exhausted, as the counts show. */
export interface Reservation {
  readonly kind: "reserved" | "busy" | "refused";
  readonly counts: PreviewCounts;
}

/**
 * Counts a workspace's previews: one object a workspace, which holds both allowances, so that one decision sees
 * both. Each decision is one synchronous run over its storage, which makes the counts exact under concurrency and
 * safe from eviction. A unit is reserved under a lease, then settled or released; one whose request died counts
 * no longer once its lease has ended. Only who waits for whom is held in memory.
 */
export class PreviewQuota extends DurableObject {
  #isReady = false;
  readonly #waiters = new Map<string, Set<() => void>>();

  /** What the counters stand at. Writes nothing, not even a table where none is. */
  read(question: QuotaQuestion): PreviewCounts {
    return this.#isStored() ? this.#counts(question) : countsOf(question, unusedAt(question.nowMs));
  }

  /** Counts a request that may be answered without drawing; false when the key sends far too many. */
  async admit(question: QuotaQuestion): Promise<{ isAdmitted: boolean; counts: PreviewCounts }> {
    const burst = this.#burst(question);
    if (burst.requests >= requestsMax(question)) {
      return { isAdmitted: false, counts: this.#counts(question) };
    }
    this.#writeBurst(question.apiKeyId, { ...burst, requests: burst.requests + 1 });
    await this.#planCleaning(question.nowMs);
    return { isAdmitted: true, counts: this.#counts(question) };
  }

  /** Takes a unit of both allowances for `unitId`, unless one is exhausted or an equal preview is being drawn. */
  async reserve(request: UnitRequest): Promise<Reservation> {
    const { unitId, subject, apiKeyId, nowMs } = request;
    const answer = (kind: Reservation["kind"]) => ({ kind, counts: this.#counts(request) });
    if (this.#unitsLive("unit_id = ?", unitId, nowMs) > 0) return answer("reserved");
    if (this.#leases(subject, nowMs) > 0) return answer("busy");
    const { product, burst } = this.#counts(request);
    if (product.remaining === 0 || burst.remaining === 0) return answer("refused");
    const counted = this.#burst(request);
    this.#sql().exec(
      "INSERT OR REPLACE INTO units (unit_id, day, subject, api_key_id, window_start, lease_ends_at) VALUES (?, ?, ?, ?, ?, ?)",
      unitId,
      this.#day(nowMs),
      subject,
      apiKeyId,
      counted.window_start,
      nowMs + LIMITS.previewLeaseMs,
    );
    this.#writeBurst(apiKeyId, { ...counted, drawn: counted.drawn + 1 });
    await this.#planCleaning(nowMs);
    return answer("reserved");
  }

  /** Begins the lease anew. False when it had ended and its unit has gone to another request since. */
  renew(request: UnitRequest): { isHeld: boolean; counts: PreviewCounts } {
    const { unitId, nowMs } = request;
    const isLive = this.#unitsLive("unit_id = ?", unitId, nowMs) > 0;
    const isFree = this.#counts(request).product.remaining > 0 && this.#leases(request.subject, nowMs) === 0;
    if (!isLive && !isFree) return { isHeld: false, counts: this.#counts(request) };
    this.#sql().exec(
      "UPDATE units SET lease_ends_at = ? WHERE unit_id = ?",
      nowMs + LIMITS.previewLeaseMs,
      unitId,
    );
    return { isHeld: true, counts: this.#counts(request) };
  }

  /** Makes a reserved unit a used one. May be repeated. */
  settle(request: UnitRequest): PreviewCounts {
    this.#sql().exec("UPDATE units SET lease_ends_at = NULL WHERE unit_id = ?", request.unitId);
    this.#wake(request.subject);
    return this.#counts(request);
  }

  /**
   * Gives a reserved unit back. The burst keeps its count, for an attempt costs what a success does, unless
   * nothing was attempted. May be repeated; a settled unit stays.
   */
  release(request: UnitRequest, wasAttempted: boolean): PreviewCounts {
    const [released] = this.#sql()
      .exec<{ api_key_id: string; window_start: number }>(
        "DELETE FROM units WHERE unit_id = ? AND lease_ends_at IS NOT NULL RETURNING api_key_id, window_start",
        request.unitId,
      )
      .toArray();
    if (released !== undefined && !wasAttempted) {
      this.#sql().exec(
        "UPDATE bursts SET drawn = MAX(0, drawn - 1) WHERE api_key_id = ? AND window_start = ?",
        released.api_key_id,
        released.window_start,
      );
    }
    this.#wake(request.subject);
    return this.#counts(request);
  }

  /** Waits until no preview of the subject is being drawn, at most `waitMsMax`. */
  async untilFree(subject: string, nowMs: number, waitMsMax: number): Promise<void> {
    if (this.#leases(subject, nowMs) === 0) return;
    await new Promise<void>((resolve) => {
      const waiters = this.#waiters.get(subject) ?? new Set();
      this.#waiters.set(subject, waiters);
      const end = () => {
        clearTimeout(timer);
        waiters.delete(end);
        if (waiters.size === 0) this.#waiters.delete(subject);
        resolve();
      };
      const timer = setTimeout(end, waitMsMax);
      waiters.add(end);
    });
  }

  /** Removes what counts no more; when nothing is left, everything. */
  override async alarm(): Promise<void> {
    const nowMs = clock.now();
    const sql = this.#sql();
    sql.exec("DELETE FROM units WHERE day < ?", Math.floor(nowMs / DAY_MS) - 1);
    sql.exec("DELETE FROM bursts WHERE window_start < ?", nowMs - 2 * WINDOW_MS);
    const { rowsLeft } = sql
      .exec<{ rowsLeft: number }>(
        "SELECT (SELECT COUNT(*) FROM units) + (SELECT COUNT(*) FROM bursts) AS rowsLeft",
      )
      .one();
    if (rowsLeft > 0) {
      await this.ctx.storage.setAlarm(nowMs + DAY_MS);
      return;
    }
    this.#isReady = false;
    await this.ctx.storage.deleteAll();
  }

  #wake(subject: string): void {
    for (const end of [...(this.#waiters.get(subject) ?? [])]) end();
  }

  /** The tables, made when the object is first used and after it was emptied. */
  #sql(): SqlStorage {
    const { sql } = this.ctx.storage;
    if (this.#isReady) return sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS units (
      unit_id TEXT PRIMARY KEY, day INTEGER NOT NULL, subject TEXT NOT NULL, api_key_id TEXT NOT NULL,
      window_start INTEGER NOT NULL, lease_ends_at INTEGER) STRICT`);
    sql.exec("CREATE INDEX IF NOT EXISTS units_by_day ON units (day)");
    sql.exec(`CREATE TABLE IF NOT EXISTS bursts (
      api_key_id TEXT PRIMARY KEY, window_start INTEGER NOT NULL, drawn INTEGER NOT NULL,
      requests INTEGER NOT NULL) STRICT`);
    this.#isReady = true;
    return sql;
  }

  /** The UTC day that is counted: a clock that steps back must not open an earlier one. */
  #day(nowMs: number): number {
    const { last } = this.#sql().exec<{ last: number | null }>("SELECT MAX(day) AS last FROM units").one();
    return Math.max(Math.floor(nowMs / DAY_MS), last ?? 0);
  }

  /** Units that count: settled ones, and reserved ones whose lease runs. */
  #unitsLive(condition: "unit_id = ?" | "day = ?", value: string | number, nowMs: number): number {
    return this.#sql()
      .exec<{ live: number }>(
        `SELECT COUNT(*) AS live FROM units WHERE ${condition} AND (lease_ends_at IS NULL OR lease_ends_at > ?)`,
        value,
        nowMs,
      )
      .one().live;
  }

  /** Reservations of a subject whose lease runs. */
  #leases(subject: string, nowMs: number): number {
    return this.#sql()
      .exec<{ live: number }>(
        "SELECT COUNT(*) AS live FROM units WHERE subject = ? AND lease_ends_at > ?",
        subject,
        nowMs,
      )
      .one().live;
  }

  #burst({ apiKeyId, nowMs }: QuotaQuestion): BurstRow {
    const unused = unusedAt(nowMs).burst;
    const [stored] = this.#sql()
      .exec<BurstRow>("SELECT window_start, drawn, requests FROM bursts WHERE api_key_id = ?", apiKeyId)
      .toArray();
    return stored !== undefined && stored.window_start >= unused.window_start ? stored : unused;
  }

  #writeBurst(apiKeyId: string, burst: BurstRow): void {
    this.#sql().exec(
      "INSERT OR REPLACE INTO bursts (api_key_id, window_start, drawn, requests) VALUES (?, ?, ?, ?)",
      apiKeyId,
      burst.window_start,
      burst.drawn,
      burst.requests,
    );
  }

  #counts(question: QuotaQuestion): PreviewCounts {
    const day = this.#day(question.nowMs);
    const unitsUsed = this.#unitsLive("day = ?", day, question.nowMs);
    return countsOf(question, { day, unitsUsed, burst: this.#burst(question) });
  }

  #isStored(): boolean {
    if (this.#isReady) return true;
    const { sql } = this.ctx.storage;
    return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'bursts'").toArray().length > 0;
  }

  /** One alarm stands while anything is stored. */
  async #planCleaning(nowMs: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(nowMs + 2 * DAY_MS);
  }
}
