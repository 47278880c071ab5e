import { and, desc, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { guard } from "#platform/db/batch-guard.ts";
import { jobs, ledgerEvents, subscriptions, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, type Preparer, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { Payment } from "./payment.ts";

/** SQL of the ledger. Only its triggers change balances; see migrations/0000. */

/** A workspace's means of payment. */
export const accessByWorkspace = statement((given: Given<{ workspaceId: string }>) =>
  query
    .read(workspaces, {
      credits: workspaces.credits,
      hasUnlimitedAccess: workspaces.hasUnlimitedAccess,
      subscription: {
        ...pick(subscriptions, "subscriptionId", "period", "quotaLimit", "quotaUsed"),
        ...pick(subscriptions, "periodStart", "periodEnd", "createdAt", "paysUntil"),
      },
    })
    .leftJoin(
      subscriptions,
      and(eq(subscriptions.workspaceId, workspaces.workspaceId), eq(subscriptions.status, "active")),
    )
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

export type StoredAccess = RowOf<typeof accessByWorkspace>;

/** Opens a granted subscription's new period, once. Only payments open those of a bought plan. */
export const rollOver = statement(
  (given: Given<{ subscriptionId: string; periodStart: number; periodEnd: number }>) =>
    query
      .update(subscriptions)
      .set({ quotaUsed: 0, periodStart: given.periodStart, periodEnd: given.periodEnd })
      .where(
        and(
          eq(subscriptions.subscriptionId, given.subscriptionId),
          lt(subscriptions.periodStart, given.periodStart),
          isNull(subscriptions.paysUntil),
        ),
      ),
);

/** An event that changes the workspace's credits without a job. */
export interface CreditEvent {
  readonly workspaceId: string;
  readonly type: "grant" | "expiry" | "adjustment";
  readonly amount: number;
  readonly reference: string;
  readonly description: string;
  readonly nowMs: number;
}

const hasEvent = (reference: SQL) =>
  sql`exists (select 1 from ${ledgerEvents} where ${ledgerEvents.reference} = ${reference})`;

/** Inserts a credit event. Writes nothing for a repeated reference or an unknown workspace. */
export const insertCreditEvent = statement((given: Given<CreditEvent>) =>
  query.insert(ledgerEvents).selecting(
    {
      ...pick(given, "workspaceId", "type", "amount", "reference", "description"),
      source: "credits",
      balanceAfter: sql`${workspaces.credits} + ${given.amount}`,
      createdAt: given.nowMs,
    },
    sql`from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId}
      and not ${hasEvent(sql`${given.reference}`)}`,
  ),
);

export interface Consumption {
  readonly workspaceId: string;
  readonly jobId: string;
  /** Credits, at least 1. */
  readonly cost: number;
  readonly description: string;
  readonly payment: Payment;
  readonly nowMs: number;
}

interface ConsumptionValues {
  readonly workspaceId: string;
  readonly jobId: string;
  /** Negative. */
  readonly amount: number;
  readonly description: string;
  readonly nowMs: number;
}

const consumptionFrom = (given: Given<ConsumptionValues>, source: Payment["source"]) => ({
  ...pick(given, "workspaceId", "amount", "jobId", "description"),
  type: "consumption" as const,
  source,
  reference: sql`'job:' || ${given.jobId} || ':consumption'`,
  createdAt: given.nowMs,
});

const consumeUnlimited = statement((given: Given<ConsumptionValues>) =>
  query
    .insert(ledgerEvents)
    .selecting(
      consumptionFrom(given, "unlimited"),
      sql`from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId} and ${workspaces.hasUnlimitedAccess} = 1`,
    ),
);

const consumeSubscription = statement(
  (given: Given<ConsumptionValues & { subscriptionId: string; periodStart: number }>) =>
    query.insert(ledgerEvents).selecting(
      {
        ...consumptionFrom(given, "subscription"),
        balanceAfter: sql`${subscriptions.quotaLimit} - ${subscriptions.quotaUsed} + ${given.amount}`,
        subscriptionId: subscriptions.subscriptionId,
        subscriptionPeriodStart: subscriptions.periodStart,
      },
      sql`from ${subscriptions} where ${subscriptions.workspaceId} = ${given.workspaceId}
        and ${subscriptions.subscriptionId} = ${given.subscriptionId}
        and ${subscriptions.periodStart} = ${given.periodStart} and ${subscriptions.status} = 'active'
        and coalesce(${subscriptions.paysUntil} > ${given.nowMs}, 1)`,
    ),
);

const consumeCredits = statement((given: Given<ConsumptionValues>) =>
  query.insert(ledgerEvents).selecting(
    {
      ...consumptionFrom(given, "credits"),
      balanceAfter: sql`${workspaces.credits} + ${given.amount}`,
    },
    sql`from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId}`,
  ),
);

/**
 * Inserts the job's only consumption event. CHECKs guard credits and quota and fail the batch. Unlimited access and the
 * subscription's period are conditions of the SELECT, which inserts nothing when they no longer apply.
 */
export function consumptionStatement(db: Preparer, consumption: Consumption): D1PreparedStatement {
  const { cost, payment, ...event } = consumption;
  const values = { ...event, amount: -cost };
  switch (payment.source) {
    case "unlimited":
      return consumeUnlimited.bind(db, values);
    case "subscription":
      return consumeSubscription.bind(db, { ...values, ...payment });
    case "credits":
      return consumeCredits.bind(db, values);
  }
}

/** Fails its batch with `payment_unchanged` unless the job has its consumption event. */
export const assertConsumption = statement((given: Given<{ jobId: string }>) =>
  guard("payment_unchanged", hasEvent(sql`'job:' || ${given.jobId} || ':consumption'`)),
);

export interface Refund {
  readonly jobId: string;
  readonly description: string;
  readonly nowMs: number;
  /** The caller's workspace, for a cancellation: refunds only that workspace's job, and only if it was canceled. */
  readonly canceledOf: string | null;
}

/**
 * Refunds what a job consumed, from the same source. Writes nothing unless the job is failed or canceled, and nothing
 * the second time, so that every batch that ends a job may contain it.
 */
export const insertRefund = statement((given: Given<Refund>) => {
  const consumed = alias(ledgerEvents, "consumed");
  const reference = sql`'job:' || ${consumed.jobId} || ':refund'`;
  return query.insert(ledgerEvents).selecting(
    {
      ...pick(consumed, "workspaceId", "source", "jobId", "subscriptionId", "subscriptionPeriodStart"),
      type: "refund",
      amount: sql`-${consumed.amount}`,
      balanceAfter: sql`case ${consumed.source}
        when 'credits' then ${workspaces.credits} - ${consumed.amount}
        when 'subscription' then ${subscriptions.quotaLimit} - ${subscriptions.quotaUsed}
          - case when ${subscriptions.periodStart} = ${consumed.subscriptionPeriodStart} then ${consumed.amount} else 0 end
        end`,
      reference,
      description: given.description,
      createdAt: given.nowMs,
    },
    sql`from ${ledgerEvents} as ${consumed}
      join ${jobs} on ${jobs.jobId} = ${consumed.jobId} and ${jobs.status} in ('failed', 'canceled')
      join ${workspaces} on ${workspaces.workspaceId} = ${consumed.workspaceId}
      left join ${subscriptions} on ${subscriptions.subscriptionId} = ${consumed.subscriptionId}
      where ${consumed.jobId} = ${given.jobId} and ${consumed.type} = 'consumption'
        and (${given.canceledOf} is null or ${jobs.workspaceId} = ${given.canceledOf} and ${jobs.status} = 'canceled')
        and not ${hasEvent(reference)}`,
  );
});

/** Events before a cursor, newest first. */
export const eventsPage = statement(
  (given: Given<{ workspaceId: string; beforeEventId: number; limit: number }>) =>
    query
      .read(ledgerEvents, {
        ...pick(ledgerEvents, "eventId", "type", "amount", "source"),
        ...pick(ledgerEvents, "balanceAfter", "jobId", "description", "createdAt", "reference"),
      })
      .where(
        and(eq(ledgerEvents.workspaceId, given.workspaceId), lt(ledgerEvents.eventId, given.beforeEventId)),
      )
      .orderBy(desc(ledgerEvents.eventId))
      .limit(given.limit),
);

export type StoredEvent = RowOf<typeof eventsPage>;

const markedColumns = pick(ledgerEvents, "eventId", "createdAt", "reference");

export const eventByNumber = statement((given: Given<{ workspaceId: string; eventId: number }>) =>
  query.read(ledgerEvents, markedColumns).where(matches(ledgerEvents, pick(given, "workspaceId", "eventId"))),
);

/** Maximum number of events read for one millisecond, more than a workspace has. */
const EVENTS_OF_TIME_MAX = 200;

/** Number of newest events that are searched for a cursor's event. Limits the cost of an invented cursor. */
export const SEARCHED_EVENTS_MAX = 100_000;

/** Events with the same creation time and larger numbers, among the newest events. Only a move creates such events. */
export const markedEvents = statement(
  (given: Given<{ workspaceId: string; afterEventId: number; createdAt: number }>) => {
    const newest = query
      .read(ledgerEvents, markedColumns)
      .where(
        and(eq(ledgerEvents.workspaceId, given.workspaceId), gt(ledgerEvents.eventId, given.afterEventId)),
      )
      .orderBy(desc(ledgerEvents.eventId))
      .limit(SEARCHED_EVENTS_MAX)
      .as("newest");
    return query
      .select({ eventId: newest.eventId, createdAt: newest.createdAt, reference: newest.reference })
      .from(newest)
      .where(eq(newest.createdAt, given.createdAt))
      .orderBy(newest.eventId)
      .limit(EVENTS_OF_TIME_MAX);
  },
);
