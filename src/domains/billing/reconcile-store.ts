import { and, eq, gte, inArray, lte, or, sql } from "drizzle-orm";
import { billingEvents, payments, topUps } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of the comparison with the provider. Lists of ids are JSON. */

/** Maximum number of rows reported, more than an operator reads. */
const UNSETTLED_MAX = 500;

export const knownEventIds = statement((given: Given<{ eventIds: string }>) =>
  query
    .from(billingEvents, "eventId")
    .where(inArray(billingEvents.eventId, sql`(select value from json_each(${given.eventIds}))`)),
);

export const knownPayments = statement((given: Given<{ intentIds: string }>) => {
  const named = sql`(select value from json_each(${given.intentIds}))`;
  return query
    .from(payments, "paymentId", "intentId", "workspaceId", "amount", "amountRefunded")
    .where(
      or(
        inArray(payments.paymentId, named),
        and(sql`intent_id is not null`, inArray(payments.intentId, named)),
      ),
    );
});

/** Refused or waiting events, oldest first. */
export const unsettledEvents = statement((given: Given<{ sinceMs: number; untilMs: number }>) =>
  query
    .read(billingEvents, {
      ...pick(billingEvents, "eventId", "type", "objectId"),
      outcome: sql<"refused" | "waiting">`${billingEvents.outcome}`,
    })
    .where(
      and(
        gte(billingEvents.receivedAt, given.sinceMs),
        lte(billingEvents.receivedAt, given.untilMs),
        inArray(billingEvents.outcome, ["refused", "waiting"]),
      ),
    )
    .orderBy(billingEvents.receivedAt)
    .limit(UNSETTLED_MAX),
);

/** Those of the given events that were applied in this database. */
export const appliedEventIds = statement((given: Given<{ eventIds: string }>) =>
  query
    .from(billingEvents, "eventId")
    .where(
      and(
        inArray(billingEvents.eventId, sql`(select value from json_each(${given.eventIds}))`),
        eq(billingEvents.outcome, "applied"),
      ),
    ),
);

/** Automatic purchases that ended while it was unknown whether they were paid. */
export const unsettledTopUps = statement((given: Given<{ sinceMs: number; untilMs: number }>) =>
  query
    .read(topUps, { ...pick(topUps, "topUpId", "workspaceId"), reason: sql<string>`${topUps.failureCode}` })
    .where(
      and(
        eq(topUps.status, "failed"),
        inArray(topUps.failureCode, ["no_answer", "event_missing"]),
        gte(topUps.finishedAt, given.sinceMs),
      ),
    )
    .orderBy(topUps.finishedAt)
    .limit(UNSETTLED_MAX),
);
