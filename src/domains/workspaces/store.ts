import { and, eq, getTableColumns, gt, lte, sql } from "drizzle-orm";
import { LEDGER_DESCRIPTIONS } from "#api/ledger-descriptions.ts";
import type { ShardName } from "#platform/databases/shard-name.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { ledgerEvents, subscriptions, trialClaims, workspaces } from "#platform/db/schema/index.ts";
import { excluded, type Given, matches, query, statement } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { pick } from "#platform/pick-members.ts";
import { type Period, periodAt } from "../ledger/period.ts";

/** SQL of workspaces and subscriptions. Only the ledger changes credits. */

const NEW = ["workspaceId", "name", "kind", "hasUnlimitedAccess", "createdAt", "expiresAt"] as const;

export interface NewWorkspace extends Readonly<Pick<typeof workspaces.$inferSelect, (typeof NEW)[number]>> {
  /** The shard, in the directory's entry of a workspace; null in the database where it lives. */
  readonly home: ShardName | null;
}

/** Inserts a workspace in its database, or its entry in the directory. */
export const insertWorkspace = statement((given: Given<NewWorkspace>) =>
  query.insert(workspaces).values(pick(given, ...NEW, "home")),
);

export interface SubscriptionTerms {
  /** Credits per period. */
  readonly quotaLimit: number;
  readonly period: Period;
}

export type NewSubscription = SubscriptionTerms &
  Pick<
    typeof subscriptions.$inferSelect,
    "subscriptionId" | "workspaceId" | "periodStart" | "periodEnd" | "createdAt"
  >;

/** An active subscription with a full quota, whose first period begins now. */
export function newSubscription(
  workspaceId: string,
  { quotaLimit, period }: SubscriptionTerms,
  nowMs: number,
): NewSubscription {
  const { startMs, endMs } = periodAt(period, nowMs, nowMs);
  const times = { periodStart: startMs, periodEnd: endMs, createdAt: nowMs };
  return { subscriptionId: newId(), workspaceId, period, quotaLimit, ...times };
}

export const insertSubscription = statement((given: Given<NewSubscription>) =>
  query.insert(subscriptions).values({
    ...pick(given, "subscriptionId", "workspaceId", "period", "quotaLimit"),
    ...pick(given, "periodStart", "periodEnd", "createdAt"),
    status: "active",
  }),
);

/** Ends the workspace's active subscription, if any. */
export const endSubscription = statement((given: Given<{ workspaceId: string }>) =>
  query
    .update(subscriptions)
    .set({ status: "canceled" })
    .where(matches(subscriptions, { workspaceId: given.workspaceId, status: "active" })),
);

/** Suspends a workspace from a time on, or resumes it (null). If it is already suspended, the earlier time stays. */
export const setSuspended = statement((given: Given<{ workspaceId: string; sinceMs: number | null }>) =>
  query
    .update(workspaces)
    .set({
      suspendedAt: sql`case when ${given.sinceMs} is null then null
        else coalesce(${workspaces.suspendedAt}, ${given.sinceMs}) end`,
      // An operator's suspension does not end when a dispute does.
      suspendedFor: null,
    })
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

export const setUnlimitedAccess = statement(
  (given: Given<{ workspaceId: string; hasUnlimitedAccess: boolean }>) =>
    query
      .update(workspaces)
      .set({ hasUnlimitedAccess: given.hasUnlimitedAccess })
      .where(eq(workspaces.workspaceId, given.workspaceId)),
);

/**
 * Expires the remaining credits of at most `limit` expired trials; returns a row for each. The reference contains the
 * number of earlier expiries, so that credits refunded after the first expiry can expire too.
 */
const expireCredits = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .insert(ledgerEvents)
    .selecting(
      {
        workspaceId: workspaces.workspaceId,
        type: "expiry",
        amount: sql`-${workspaces.credits}`,
        source: "credits",
        balanceAfter: 0,
        reference: sql`'workspace:' || ${workspaces.workspaceId} || ':expiry:' || (select count(*) from ${ledgerEvents}
          where ${ledgerEvents.workspaceId} = ${workspaces.workspaceId} and ${ledgerEvents.type} = 'expiry')`,
        description: LEDGER_DESCRIPTIONS.trialEnded,
        createdAt: given.nowMs,
      },
      sql`from ${workspaces} where ${workspaces.expiresAt} is not null and ${workspaces.credits} > 0
        and ${workspaces.expiresAt} <= ${given.nowMs} and ${isNotMoving(workspaces.workspaceId)} limit ${given.limit}`,
    )
    .returning({ eventId: ledgerEvents.eventId }),
);

/** Deletes the claims of at most `limit` expired trials. */
const deleteEndedClaims = statement((given: Given<{ nowMs: number; limit: number }>) => {
  const { identityHash, expiresAt } = trialClaims;
  return query.deleteFirst(trialClaims, identityHash, lte(expiresAt, given.nowMs), expiresAt, given.limit);
});

/**
 * Expires the remaining credits of expired trials and deletes their claims, at most `limit` of each per run. Returns
 * how many workspaces lost credits. May be repeated and run concurrently.
 */
export async function expireTrials(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const results = await db.batch([
    expireCredits.bind(db, { nowMs, limit }),
    deleteEndedClaims.bind(db, { nowMs, limit }),
  ]);
  return expireCredits.rows(results[0]).length;
}

/**
 * Claims the trial of an identity. Inserts nothing while an earlier claim is running, which fails the batch (see
 * `claim-trial.ts`).
 */
export const upsertClaim = statement(
  (given: Given<{ identityHash: string; workspaceId: string; nowMs: number; expiresAt: number }>) =>
    query
      .insert(trialClaims)
      .values({
        ...pick(given, "identityHash", "workspaceId", "expiresAt"),
        claimedAt: given.nowMs,
      })
      .onConflictDoUpdate({
        target: trialClaims.identityHash,
        set: {
          workspaceId: sql`case when ${trialClaims.expiresAt} <= ${given.nowMs} then excluded.workspace_id end`,
          ...excluded(trialClaims, "claimedAt", "expiresAt"),
        },
      }),
);

/** The identity's running claim: its workspace and end. */
export const runningClaim = statement((given: Given<{ identityHash: string; nowMs: number }>) =>
  query
    .from(trialClaims, "workspaceId", "expiresAt")
    .where(and(eq(trialClaims.identityHash, given.identityHash), gt(trialClaims.expiresAt, given.nowMs))),
);

export const workspaceById = statement((given: Given<{ workspaceId: string }>) =>
  query.read(workspaces, getTableColumns(workspaces)).where(eq(workspaces.workspaceId, given.workspaceId)),
);
