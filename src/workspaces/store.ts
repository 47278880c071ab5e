/** SQL of workspaces and subscriptions. Credits are never written here: the ledger moves them. */

export interface NewWorkspace {
  readonly workspaceId: string;
  readonly name: string;
  readonly kind: "standard" | "trial";
  readonly hasUnlimitedAccess: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const insertWorkspaceStatement = (db: D1Database, workspace: NewWorkspace): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO workspaces (workspace_id, name, kind, has_unlimited_access, created_at, expires_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
    )
    .bind(
      workspace.workspaceId,
      workspace.name,
      workspace.kind,
      workspace.hasUnlimitedAccess ? 1 : 0,
      workspace.createdAt,
      workspace.expiresAt,
    );

export interface NewSubscription {
  readonly subscriptionId: string;
  readonly workspaceId: string;
  readonly period: "day" | "month";
  readonly quotaLimit: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly createdAt: number;
}

export const insertSubscriptionStatement = (
  db: D1Database,
  subscription: NewSubscription,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO subscriptions
         (subscription_id, workspace_id, status, period, quota_limit, period_start, period_end, created_at)
       VALUES (?1, ?2, 'active', ?3, ?4, ?5, ?6, ?7)`,
    )
    .bind(
      subscription.subscriptionId,
      subscription.workspaceId,
      subscription.period,
      subscription.quotaLimit,
      subscription.periodStart,
      subscription.periodEnd,
      subscription.createdAt,
    );

/** Ends the workspace's active subscription, if it has one. */
export const endSubscriptionStatement = (db: D1Database, workspaceId: string): D1PreparedStatement =>
  db
    .prepare("UPDATE subscriptions SET status = 'canceled' WHERE workspace_id = ?1 AND status = 'active'")
    .bind(workspaceId);

/** Stops a workspace since a time, or lets it act again (null). One that is stopped already keeps its time. */
export const setSuspendedStatement = (
  db: D1Database,
  workspaceId: string,
  sinceMs: number | null,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE workspaces SET suspended_at = CASE WHEN ?2 IS NULL THEN NULL ELSE COALESCE(suspended_at, ?2) END
       WHERE workspace_id = ?1`,
    )
    .bind(workspaceId, sinceMs);

/** Says whether the workspace has unlimited access. */
export const setUnlimitedStatement = (
  db: D1Database,
  workspaceId: string,
  hasUnlimitedAccess: boolean,
): D1PreparedStatement =>
  db
    .prepare("UPDATE workspaces SET has_unlimited_access = ?2 WHERE workspace_id = ?1")
    .bind(workspaceId, hasUnlimitedAccess ? 1 : 0);

/**
 * Takes what ended trials still hold, at most `limit` of them; returns a row for each. The reference counts the
 * expiries before it: a refund that arrives after the first one is taken by a second.
 */
export const expireCreditsStatement = (db: D1Database, nowMs: number, limit: number): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO ledger_events
         (workspace_id, type, amount, source, balance_after, reference, description, created_at)
       SELECT workspace_id, 'expiry', -credits, 'credits', 0,
         'workspace:' || workspace_id || ':expiry:'
           || (SELECT COUNT(*) FROM ledger_events e WHERE e.workspace_id = w.workspace_id AND e.type = 'expiry'),
         'Trial ended', ?1
       FROM workspaces w WHERE expires_at IS NOT NULL AND credits > 0 AND expires_at <= ?1
       LIMIT ?2 RETURNING event_id`,
    )
    .bind(nowMs, limit);

/** Forgets the identities of claims that have ended, at most `limit` of them. */
export const forgetClaimsStatement = (db: D1Database, nowMs: number, limit: number): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM trial_claims WHERE identity_hash IN
         (SELECT identity_hash FROM trial_claims WHERE expires_at <= ?1 LIMIT ?2)`,
    )
    .bind(nowMs, limit);

/**
 * Claims the trial of an identity. Inserts nothing while an earlier claim still runs; the workspace then
 * fails to be referenced and the batch with it (see `claim-trial.ts`).
 */
export const claimTrialStatement = (
  db: D1Database,
  claim: {
    readonly identityHash: string;
    readonly workspaceId: string;
    readonly nowMs: number;
    readonly expiresAt: number;
  },
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO trial_claims (identity_hash, workspace_id, claimed_at, expires_at)
       VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (identity_hash) DO UPDATE SET
         workspace_id = CASE WHEN trial_claims.expires_at <= ?3 THEN excluded.workspace_id END,
         claimed_at = excluded.claimed_at, expires_at = excluded.expires_at`,
    )
    .bind(claim.identityHash, claim.workspaceId, claim.nowMs, claim.expiresAt);

/** The identity's present claim: which workspace it made and when it ends; null when it has none. */
export const findClaim = (
  db: D1Database,
  identityHash: string,
  nowMs: number,
): Promise<{ readonly workspaceId: string; readonly expiresAt: number } | null> =>
  db
    .withSession("first-primary")
    .prepare(
      `SELECT workspace_id AS workspaceId, expires_at AS expiresAt
       FROM trial_claims WHERE identity_hash = ?1 AND expires_at > ?2`,
    )
    .bind(identityHash, nowMs)
    .first<{ workspaceId: string; expiresAt: number }>();

export const findWorkspace = (db: D1Database, workspaceId: string) =>
  db
    .prepare(
      `SELECT workspace_id AS workspaceId, name, kind, credits, has_unlimited_access AS hasUnlimitedAccess,
              created_at AS createdAt, expires_at AS expiresAt, suspended_at AS suspendedAt
       FROM workspaces WHERE workspace_id = ?1`,
    )
    .bind(workspaceId)
    .first<{
      workspaceId: string;
      name: string;
      kind: "standard" | "trial";
      credits: number;
      hasUnlimitedAccess: number;
      createdAt: number;
      expiresAt: number | null;
      suspendedAt: number | null;
    }>();
