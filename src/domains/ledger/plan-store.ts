import { and, eq, sql } from "drizzle-orm";
import { guard } from "#platform/db/batch-guard.ts";
import { subscriptions } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { Plan } from "./plan.ts";

/** SQL of bought plans. Only the ledger's triggers change how much of a period's quota is used. */

const STORED = [
  ...([
    "subscriptionId",
    "workspaceId",
    "status",
    "planId",
    "quotaLimit",
    "periodStart",
    "periodEnd",
  ] as const),
  ...(["cancelAt", "endedAt", "paysUntil", "providerEvent", "providerSubscriptionId"] as const),
] as const;

const planColumns = pick(subscriptions, ...STORED, "quotaUsed");

export const planByProvider = statement((given: Given<{ providerSubscriptionId: string | null }>) =>
  query
    .read(subscriptions, planColumns)
    .where(eq(subscriptions.providerSubscriptionId, given.providerSubscriptionId)),
);

/** The workspace's active subscription, bought or granted. */
export const activeSubscription = statement((given: Given<{ workspaceId: string | null }>) =>
  query
    .read(subscriptions, planColumns)
    .where(and(eq(subscriptions.workspaceId, given.workspaceId), eq(subscriptions.status, "active"))),
);

/** A plan with its workspace, its id at the provider, and the latest provider event applied to it. */
export interface StoredPlan extends Plan {
  readonly subscriptionId: string;
  readonly workspaceId: string;
  readonly providerSubscriptionId: string;
  readonly providerEvent: string | null;
}

export const insertPlan = statement((given: Given<StoredPlan & { nowMs: number }>) =>
  query.insert(subscriptions).values({
    ...pick(given, ...STORED),
    period: "month",
    createdAt: given.nowMs,
  }),
);

/** Writes a plan. A new period begins with no quota used. Within a period the quota never drops below what was used. */
export const updatePlan = statement(
  (given: Given<Omit<StoredPlan, "workspaceId" | "providerSubscriptionId">>) => {
    const used = sql`iif(${subscriptions.periodStart} = ${given.periodStart}, ${subscriptions.quotaUsed}, 0)`;
    return query
      .update(subscriptions)
      .set({
        ...pick(given, "status", "planId", "periodStart", "periodEnd", "cancelAt", "endedAt", "paysUntil"),
        providerEvent: given.providerEvent,
        quotaUsed: used,
        quotaLimit: sql`max(${given.quotaLimit}, ${used})`,
      })
      .where(eq(subscriptions.subscriptionId, given.subscriptionId));
  },
);

export const replacePlan = statement((given: Given<{ subscriptionId: string }>) =>
  query
    .update(subscriptions)
    .set({ status: "canceled" })
    .where(eq(subscriptions.subscriptionId, given.subscriptionId)),
);

/**
 * Activates the bought plan with the latest period, if that period began after `periodStart` and the plan ended before
 * the period's end.
 */
export const restoreLaterPlan = statement((given: Given<{ workspaceId: string; periodStart: number }>) =>
  query
    .update(subscriptions)
    .set({ status: "active" })
    .where(
      sql`${subscriptions.subscriptionId} = (select later.subscription_id from ${subscriptions} as later
        where later.workspace_id = ${given.workspaceId} and later.provider_subscription_id is not null
          and later.period_start > ${given.periodStart}
        order by later.period_start desc, later.subscription_id limit 1)
        and ${subscriptions.endedAt} < ${subscriptions.periodEnd}`,
    ),
);

/**
 * Fails its batch with `payment_unchanged` unless the plan is unchanged since it was read; `asRead` is null when there
 * was none.
 */
export const assertPlanUnchanged = statement(
  (given: Given<{ providerSubscriptionId: string; asRead: string | null }>) =>
    guard(
      "payment_unchanged",
      sql`(select json_array(${subscriptions.status}, ${subscriptions.planId}, ${subscriptions.quotaLimit},
          ${subscriptions.periodStart}, ${subscriptions.periodEnd}, ${subscriptions.cancelAt}, ${subscriptions.endedAt},
          ${subscriptions.paysUntil}, ${subscriptions.providerEvent}) from ${subscriptions}
        where ${subscriptions.providerSubscriptionId} = ${given.providerSubscriptionId}) is ${given.asRead}`,
    ),
);

/** A plan as `assertPlanUnchanged` compares it. */
export const planAsRead = (plan: StoredPlan | null): string | null =>
  plan === null
    ? null
    : JSON.stringify([
        ...[plan.status, plan.planId, plan.quotaLimit, plan.periodStart, plan.periodEnd],
        ...[plan.cancelAt, plan.endedAt, plan.paysUntil, plan.providerEvent],
      ]);

/** Fails its batch with `payment_unchanged` while the workspace has an active bought plan. */
export const assertNoPlan = statement((given: Given<{ workspaceId: string; nowMs: number }>) =>
  guard(
    "payment_unchanged",
    sql`not exists (select 1 from ${subscriptions} where ${subscriptions.workspaceId} = ${given.workspaceId}
      and ${subscriptions.status} = 'active' and ${subscriptions.providerSubscriptionId} is not null
      and (${subscriptions.endedAt} is null or ${subscriptions.paysUntil} > ${given.nowMs}))`,
  ),
);

/** A row of `subscriptions` as a plan; null for one that an operator granted. */
export function toPlan(row: ReturnType<typeof planByProvider.row>): StoredPlan | null {
  if (row === null || row.paysUntil === null || row.providerSubscriptionId === null) return null;
  return { ...row, paysUntil: row.paysUntil, providerSubscriptionId: row.providerSubscriptionId };
}
