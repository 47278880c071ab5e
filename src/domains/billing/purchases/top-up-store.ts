import { and, asc, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { guard, isNotMoving } from "#platform/db/batch-guard.ts";
import { topUpRules, topUps, workspaces } from "#platform/db/schema/index.ts";
import { excluded, type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/**
 * SQL of automatic purchases. Triggers open them when the balance falls (migrations/0021); events of their payments end
 * them.
 */

const TERMS = ["offerId", "credits", "currency", "amount", "belowCredits", "monthlyCreditsMax"] as const;

export type TopUpRule = Readonly<
  Pick<typeof topUpRules.$inferSelect, "workspaceId" | (typeof TERMS)[number]>
>;

export const ruleByWorkspace = statement((given: Given<{ workspaceId: string }>) =>
  query.from(topUpRules, ...TERMS, "status").where(eq(topUpRules.workspaceId, given.workspaceId)),
);

/** Sets the rule and resumes a paused one. */
export const upsertRule = statement((given: Given<TopUpRule & { nowMs: number }>) =>
  query
    .insert(topUpRules)
    .values({
      ...pick(given, "workspaceId", ...TERMS),
      status: "active",
      updatedAt: given.nowMs,
    })
    .onConflictDoUpdate({
      target: topUpRules.workspaceId,
      set: {
        ...excluded(topUpRules, ...TERMS, "updatedAt"),
        status: "active",
      },
    }),
);

export const deleteRule = statement((given: Given<{ workspaceId: string }>) =>
  query.delete(topUpRules).where(eq(topUpRules.workspaceId, given.workspaceId)),
);

export const pauseRule = statement((given: Given<{ workspaceId: string; nowMs: number }>) =>
  query
    .update(topUpRules)
    .set({ status: "paused", updatedAt: given.nowMs })
    .where(eq(topUpRules.workspaceId, given.workspaceId)),
);

/** Opens a purchase at once if the balance is below the threshold, under the trigger's conditions. */
export const openTopUp = statement(
  (given: Given<{ topUpId: string; workspaceId: string; month: string; nowMs: number }>) =>
    query.insert(topUps).selecting(
      {
        ...pick(given, "topUpId", "workspaceId", "month"),
        ...pick(topUpRules, "offerId", "credits"),
        status: "open",
        nextAttemptAt: given.nowMs,
        createdAt: given.nowMs,
      },
      sql`from ${topUpRules} join ${workspaces} on ${workspaces.workspaceId} = ${topUpRules.workspaceId}
        where ${topUpRules.workspaceId} = ${given.workspaceId} and ${topUpRules.status} = 'active'
          and ${workspaces.credits} < ${topUpRules.belowCredits}
          and not exists (select 1 from ${topUps} where ${topUps.workspaceId} = ${given.workspaceId} and ${topUps.status} = 'open')
          and ${topUpRules.credits} + (select coalesce(sum(${topUps.credits}), 0) from ${topUps}
            where ${topUps.workspaceId} = ${given.workspaceId} and ${topUps.month} = ${given.month}
              and ${topUps.status} <> 'failed') <= ${topUpRules.monthlyCreditsMax}`,
    ),
);

/** Credits bought or being bought in a month. */
export const boughtInMonth = statement((given: Given<{ workspaceId: string; month: string }>) =>
  query
    .read(topUps, { credits: sql<number>`coalesce(sum(${topUps.credits}), 0)` })
    .where(
      and(
        eq(topUps.workspaceId, given.workspaceId),
        eq(topUps.month, given.month),
        sql`${topUps.status} <> 'failed'`,
      ),
    ),
);

/** Open purchases whose next attempt is due, longest due first. */
export const dueTopUps = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .from(
      topUps,
      "topUpId",
      "workspaceId",
      "offerId",
      "credits",
      "paymentId",
      "paymentMethodId",
      "attempts",
      "createdAt",
    )
    .where(
      and(
        eq(topUps.status, "open"),
        isNotNull(topUps.nextAttemptAt),
        lte(topUps.nextAttemptAt, given.nowMs),
        isNotMoving(topUps.workspaceId),
      ),
    )
    .orderBy(asc(topUps.nextAttemptAt))
    .limit(given.limit),
);

export type DueTopUp = RowOf<typeof dueTopUps>;

/**
 * Claims an attempt, unless another run has claimed it. `nextAttemptAt` must be later than the end of this attempt.
 */
export const claimAttempt = statement(
  (given: Given<{ topUpId: string; attempts: number; nextAttemptAt: number }>) =>
    query
      .update(topUps)
      .set({ attempts: sql`${topUps.attempts} + 1`, nextAttemptAt: given.nextAttemptAt })
      .where(
        and(
          eq(topUps.topUpId, given.topUpId),
          eq(topUps.status, "open"),
          eq(topUps.attempts, given.attempts),
        ),
      ),
);

/** Records the card to charge, unless one is recorded already. */
export const setPaymentMethod = statement((given: Given<{ topUpId: string; paymentMethodId: string }>) =>
  query
    .update(topUps)
    .set({ paymentMethodId: given.paymentMethodId })
    .where(and(eq(topUps.topUpId, given.topUpId), isNull(topUps.paymentMethodId))),
);

/** Records a payment whose event has not arrived yet. */
export const setPayment = statement((given: Given<{ topUpId: string; paymentId: string }>) =>
  query
    .update(topUps)
    .set({ paymentId: given.paymentId })
    .where(and(eq(topUps.topUpId, given.topUpId), eq(topUps.status, "open"))),
);

/** Ends an open purchase; its batch fails with `payment_unchanged` if it has ended already. */
export const failTopUpStatements = (
  db: D1Database,
  given: { readonly topUpId: string; readonly failureCode: string; readonly nowMs: number },
): readonly D1PreparedStatement[] => [assertOpen.bind(db, given), failTopUp.bind(db, given)];

const assertOpen = statement((given: Given<{ topUpId: string }>) =>
  guard(
    "payment_unchanged",
    sql`exists (select 1 from ${topUps} where ${topUps.topUpId} = ${given.topUpId} and ${topUps.status} = 'open')`,
  ),
);

const failTopUp = statement((given: Given<{ topUpId: string; failureCode: string; nowMs: number }>) =>
  query
    .update(topUps)
    .set({ status: "failed", failureCode: given.failureCode, nextAttemptAt: null, finishedAt: given.nowMs })
    .where(eq(topUps.topUpId, given.topUpId)),
);

/** Ends the open purchase of a removed rule. If it was paid nevertheless, its event grants the credits. */
export const withdrawTopUp = statement((given: Given<{ workspaceId: string; nowMs: number }>) =>
  query
    .update(topUps)
    .set({ status: "failed", failureCode: "withdrawn", nextAttemptAt: null, finishedAt: given.nowMs })
    .where(
      and(eq(topUps.workspaceId, given.workspaceId), eq(topUps.status, "open"), isNull(topUps.paymentId)),
    ),
);
