import { eq, sql } from "drizzle-orm";
import {
  billingCustomers,
  payments,
  topUpRules,
  topUps,
  workspaceNotices,
  workspaces,
} from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of a workspace's billing as its members see it. */

export const billingByWorkspace = statement((given: Given<{ workspaceId: string; month: string }>) =>
  query
    .read(workspaces, {
      hasCustomer: sql<number>`exists (select 1 from ${billingCustomers}
        where ${billingCustomers.workspaceId} = ${given.workspaceId})`.mapWith(Boolean),
      creditsOwed: sql<number>`(select coalesce(sum(${payments.creditsOwed}), 0) from ${payments}
        where ${payments.workspaceId} = ${given.workspaceId} and ${payments.creditsOwed} > 0)`,
      boughtThisMonth: sql<number>`(select coalesce(sum(${topUps.credits}), 0) from ${topUps}
        where ${topUps.workspaceId} = ${given.workspaceId} and ${topUps.month} = ${given.month}
          and ${topUps.status} <> 'failed')`,
      lowBalanceBelow: workspaceNotices.lowBalanceBelow,
      topUp: {
        ...pick(topUpRules, "offerId", "credits", "belowCredits", "monthlyCreditsMax", "status"),
      },
    })
    .leftJoin(topUpRules, eq(topUpRules.workspaceId, workspaces.workspaceId))
    .leftJoin(workspaceNotices, eq(workspaceNotices.workspaceId, workspaces.workspaceId))
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

export const upsertNotices = statement((given: Given<{ workspaceId: string; lowBalanceBelow: number }>) =>
  query
    .insert(workspaceNotices)
    .values(pick(given, "workspaceId", "lowBalanceBelow"))
    .onConflictDoUpdate({
      target: workspaceNotices.workspaceId,
      set: { lowBalanceBelow: sql`excluded.low_balance_below` },
    }),
);
