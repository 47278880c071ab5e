/** SQL of the ledger. Balances move by the ledger's triggers alone; see migrations/0000. */

import type { Payment } from "./payment.ts";

export interface StoredAccess {
  readonly credits: number;
  readonly hasUnlimitedAccess: number;
  readonly subscriptionId: string | null;
  readonly period: "day" | "month" | null;
  readonly quotaLimit: number | null;
  readonly quotaUsed: number | null;
  readonly periodStart: number | null;
  readonly periodEnd: number | null;
  readonly subscribedAt: number | null;
}

/** Reads what a workspace can pay with; `accessOf` takes its result. */
export const accessStatement = (
  db: D1DatabaseSession | D1Database,
  workspaceId: string,
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT w.credits, w.has_unlimited_access AS hasUnlimitedAccess,
              s.subscription_id AS subscriptionId, s.period, s.quota_limit AS quotaLimit,
              s.quota_used AS quotaUsed, s.period_start AS periodStart, s.period_end AS periodEnd,
              s.created_at AS subscribedAt
       FROM workspaces w
       LEFT JOIN subscriptions s ON s.workspace_id = w.workspace_id AND s.status = 'active'
       WHERE w.workspace_id = ?1`,
    )
    .bind(workspaceId);

/** The one row of `accessStatement`, or null of an unknown workspace. */
export const accessOf = (result: D1Result | undefined): StoredAccess | null =>
  (result?.results[0] as StoredAccess | undefined) ?? null;

export const findAccess = (db: D1Database, workspaceId: string): Promise<StoredAccess | null> =>
  accessStatement(db.withSession("first-primary"), workspaceId).first<StoredAccess>();

/** Opens a subscription's new period, unless another request has. */
export const rollOverStatement = (
  db: D1Database,
  subscriptionId: string,
  periodStart: number,
  periodEnd: number,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE subscriptions SET quota_used = 0, period_start = ?2, period_end = ?3
       WHERE subscription_id = ?1 AND period_start < ?2`,
    )
    .bind(subscriptionId, periodStart, periodEnd);

/** An event on the workspace's credits: a grant, an expiry or an adjustment. */
export interface CreditEvent {
  readonly workspaceId: string;
  readonly type: "grant" | "expiry" | "adjustment";
  readonly amount: number;
  readonly reference: string;
  readonly description: string;
  readonly nowMs: number;
}

/** Writes a credit event; a repeated reference writes nothing. */
export const creditEventStatement = (db: D1Database, event: CreditEvent): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO ledger_events
         (workspace_id, type, amount, source, balance_after, reference, description, created_at)
       SELECT ?1, ?2, ?3, 'credits', credits + ?3, ?4, ?5, ?6 FROM workspaces
       WHERE workspace_id = ?1 AND NOT EXISTS (SELECT 1 FROM ledger_events WHERE reference = ?4)`,
    )
    .bind(event.workspaceId, event.type, event.amount, event.reference, event.description, event.nowMs);

export interface Consumption {
  readonly workspaceId: string;
  readonly jobId: string;
  /** Credits, at least 1. */
  readonly cost: number;
  readonly payment: Payment;
  readonly nowMs: number;
}

/**
 * The job's one consumption event. Credits and quota are guarded by CHECKs, which fail the batch; unlimited
 * access and the subscription's period are guarded by the SELECT, which then inserts nothing.
 */
export function consumptionStatement(db: D1Database, consumption: Consumption): D1PreparedStatement {
  const { workspaceId, jobId, cost, payment, nowMs } = consumption;
  const reference = `job:${jobId}:consumption`;
  const description = "Job reserved";
  switch (payment.source) {
    case "unlimited":
      return db
        .prepare(
          `INSERT INTO ledger_events
             (workspace_id, type, amount, source, balance_after, job_id, reference, description, created_at)
           SELECT workspace_id, 'consumption', ?2, 'unlimited', NULL, ?3, ?4, ?5, ?6
           FROM workspaces WHERE workspace_id = ?1 AND has_unlimited_access = 1`,
        )
        .bind(workspaceId, -cost, jobId, reference, description, nowMs);
    case "subscription":
      return db
        .prepare(
          `INSERT INTO ledger_events
             (workspace_id, type, amount, source, balance_after, job_id, subscription_id,
              subscription_period_start, reference, description, created_at)
           SELECT workspace_id, 'consumption', ?2, 'subscription', quota_limit - quota_used + ?2, ?3,
              subscription_id, period_start, ?4, ?5, ?6
           FROM subscriptions
           WHERE workspace_id = ?1 AND subscription_id = ?7 AND period_start = ?8 AND status = 'active'`,
        )
        .bind(
          workspaceId,
          -cost,
          jobId,
          reference,
          description,
          nowMs,
          payment.subscriptionId,
          payment.periodStart,
        );
    case "credits":
      return db
        .prepare(
          `INSERT INTO ledger_events
             (workspace_id, type, amount, source, balance_after, job_id, reference, description, created_at)
           SELECT workspace_id, 'consumption', ?2, 'credits', credits + ?2, ?3, ?4, ?5, ?6
           FROM workspaces WHERE workspace_id = ?1`,
        )
        .bind(workspaceId, -cost, jobId, reference, description, nowMs);
  }
}

/**
 * Gives back what a job consumed: same amount, same source, once. Writes nothing unless the job is failed or
 * canceled, and nothing the second time, so that it may stand in any batch that ends a job.
 */
export const refundStatement = (
  db: D1Database,
  refund: {
    readonly jobId: string;
    readonly description: string;
    readonly nowMs: number;
    /** Where it stands in a caller's own request: only for this workspace's job, and only when it was cancelled. */
    readonly canceledOf?: string;
  },
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO ledger_events
         (workspace_id, type, amount, source, balance_after, job_id, subscription_id,
          subscription_period_start, reference, description, created_at)
       SELECT e.workspace_id, 'refund', -e.amount, e.source,
         CASE e.source
           WHEN 'credits' THEN w.credits - e.amount
           WHEN 'subscription' THEN s.quota_limit - s.quota_used
             - CASE WHEN s.period_start = e.subscription_period_start THEN e.amount ELSE 0 END
         END,
         e.job_id, e.subscription_id, e.subscription_period_start, 'job:' || e.job_id || ':refund', ?2, ?3
       FROM ledger_events e
       JOIN jobs j ON j.job_id = e.job_id AND j.status IN ('failed', 'canceled')
       JOIN workspaces w ON w.workspace_id = e.workspace_id
       LEFT JOIN subscriptions s ON s.subscription_id = e.subscription_id
       WHERE e.job_id = ?1 AND e.type = 'consumption'
         AND (?4 IS NULL OR j.workspace_id = ?4 AND j.status = 'canceled')
         AND NOT EXISTS (SELECT 1 FROM ledger_events WHERE reference = 'job:' || e.job_id || ':refund')`,
    )
    .bind(refund.jobId, refund.description, refund.nowMs, refund.canceledOf ?? null);

export interface StoredEvent {
  readonly eventId: number;
  readonly type: "grant" | "consumption" | "refund" | "expiry" | "adjustment";
  readonly amount: number;
  readonly source: "credits" | "subscription" | "unlimited";
  readonly balanceAfter: number | null;
  readonly jobId: string | null;
  readonly description: string;
  readonly createdAt: number;
}

/** Events before a cursor, newest first. */
export const listEvents = async (
  db: D1Database,
  workspaceId: string,
  beforeEventId: number,
  limit: number,
): Promise<StoredEvent[]> => {
  const { results } = await db
    .withSession("first-primary")
    .prepare(
      `SELECT event_id AS eventId, type, amount, source, balance_after AS balanceAfter, job_id AS jobId,
              description, created_at AS createdAt
       FROM ledger_events WHERE workspace_id = ?1 AND event_id < ?2 ORDER BY event_id DESC LIMIT ?3`,
    )
    .bind(workspaceId, beforeEventId, limit)
    .all<StoredEvent>();
  return results;
};
