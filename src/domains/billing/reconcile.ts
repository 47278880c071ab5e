import type { BillingService } from "#platform/bindings/capabilities.ts";
import { type Databases, everyDatabase } from "#platform/databases/databases.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import { applyEventAtHome } from "./apply-event.ts";
import { type BillingEvent, objectIdOf } from "./events/billing-event.ts";
import type { EventOutcome } from "./events/event-store.ts";
import {
  appliedEventIds,
  knownEventIds,
  knownPayments,
  unsettledEvents,
  unsettledTopUps,
} from "./reconcile-store.ts";
import { EVENT_READERS, readEvent } from "./stripe/read-event.ts";
import { openStripe, type StripeLibrary } from "./stripe/stripe-library.ts";

/** Compares the provider's events and payments of the last days with the stored ones. */

/** Stripe's largest page. Beyond the maximum of pages the result is reported as truncated. */
const PAGE = 100;
const PAGES_MAX = 20;
/** Events younger than this may still be on their way. */
const SETTLED_MS = 10 * 60_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** A quiet minute of the day, in UTC. */
const DUE_MINUTE = 3 * 60 + 17;
const RECONCILED_MS = 3 * 86_400_000;

/** True in the minute of the daily reconciliation. The next day's run covers a missed one. */
export const isReconcileDue = (nowMs: number): boolean =>
  Math.floor(nowMs / MINUTE_MS) % DAY_MINUTES === DUE_MINUTE;

export type Difference =
  /** An event that was never received. `outcome` is set if this run applied it. */
  | {
      readonly kind: "event-missing";
      readonly eventId: string;
      readonly type: string;
      readonly objectId: string;
      readonly outcome: EventOutcome | null;
    }
  | { readonly kind: "event-unreadable"; readonly eventId: string; readonly type: string }
  /**
   * A stored event without effect. `refused`: its payment bought nothing. `waiting`: its payment is unknown, or another
   * plan is active.
   */
  | {
      readonly kind: "event-refused" | "event-waiting";
      readonly eventId: string;
      readonly type: string;
      readonly objectId: string;
    }
  | {
      readonly kind: "payment-missing";
      readonly paymentId: string;
      readonly amount: number;
      readonly currency: string;
    }
  /** The amounts at the provider and in our rows, in the currency's minor unit. */
  | {
      readonly kind: "amount-differs" | "refund-differs";
      readonly paymentId: string;
      readonly workspaceId: string;
      readonly atProvider: number;
      readonly stored: number;
    }
  /** An automatic purchase that ended while it was unknown whether it was paid. */
  | {
      readonly kind: "top-up-unsettled";
      readonly topUpId: string;
      readonly workspaceId: string;
      readonly reason: string;
    };

export interface Reconciliation {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly eventsCompared: number;
  readonly paymentsCompared: number;
  /** True when there were more events or payments than one run compares; choose a shorter period. */
  readonly isTruncated: boolean;
  readonly differences: readonly Difference[];
}

interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

const createdIn = ({ sinceMs, untilMs }: Span) => ({
  gte: Math.floor(sinceMs / 1_000),
  lte: Math.floor(untilMs / 1_000),
});

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly isTruncated: boolean;
}

/** Rows of all databases, read one after another. */
async function everywhere<Row>(
  databases: Databases,
  read: (reader: D1DatabaseSession) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { db } of everyDatabase(databases)) rows.push(...(await read(latest(db))));
  return rows;
}

/** The pages of a list, up to `PAGES_MAX`. */
async function readPages<Item extends { readonly id: string }>(
  read: (after: {
    starting_after?: string;
  }) => Promise<{ readonly data: readonly Item[]; readonly has_more: boolean }>,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  for (let count = 0; count < PAGES_MAX; count += 1) {
    const last = items.at(-1);
    const page = await read(last === undefined ? {} : { starting_after: last.id });
    items.push(...page.data);
    if (!page.has_more || page.data.length === 0) return { items, isTruncated: false };
  }
  return { items, isTruncated: true };
}

/**
 * Compares a period's events and payments at the provider with the stored ones. Changes nothing unless `isApplying`,
 * which applies missing events as if they arrived now. Rethrows errors of Stripe's library.
 */
export async function reconcile(
  databases: Databases,
  service: BillingService,
  {
    sinceMs,
    nowMs,
    isApplying,
  }: { readonly sinceMs: number; readonly nowMs: number; readonly isApplying: boolean },
): Promise<Reconciliation> {
  const span = { sinceMs, untilMs: nowMs - SETTLED_MS };
  const library = await openStripe(service);
  const events = await compareEvents(databases, service, library, span);
  const missing: Difference[] = [];
  for (const event of events.missing) {
    const outcome = isApplying ? (await applyEventAtHome(databases, event, nowMs)).outcome : null;
    const { eventId, type } = event;
    missing.push({ kind: "event-missing", eventId, type, objectId: objectIdOf(event.fact), outcome });
  }
  const payments = await comparePayments(databases, library, span);
  const unsettled = await compareOutcomes(databases, span);
  const topUps = await everywhere(databases, (reader) => unsettledTopUps.all(reader, span));
  return {
    ...span,
    eventsCompared: events.count,
    paymentsCompared: payments.count,
    isTruncated: events.isTruncated || payments.isTruncated,
    differences: [
      ...missing,
      ...events.unreadable,
      ...unsettled.map(({ outcome, ...event }): Difference => ({ kind: `event-${outcome}`, ...event })),
      ...payments.differences,
      ...topUps.map((topUp): Difference => ({ kind: "top-up-unsettled", ...topUp })),
    ],
  };
}

/** Events that no database has applied. After a move, the old database keeps the outcomes from before the move. */
async function compareOutcomes(databases: Databases, span: Span) {
  const found = await everywhere(databases, (reader) => unsettledEvents.all(reader, span));
  const eventIds = JSON.stringify(found.map(({ eventId }) => eventId));
  const applied = await everywhere(databases, (reader) => appliedEventIds.all(reader, { eventIds }));
  const known = new Set(applied.map(({ eventId }) => eventId));
  // An event may be refused in one database and still wait in another. Report it as refused: the map keeps the last
  // entry.
  const unsettled = found
    .filter(({ eventId }) => !known.has(eventId))
    .toSorted((one, other) => Number(other.outcome === "waiting") - Number(one.outcome === "waiting"));
  return [...new Map(unsettled.map((event) => [event.eventId, event])).values()];
}

async function compareEvents(
  databases: Databases,
  { offers }: BillingService,
  { client }: StripeLibrary,
  span: Span,
) {
  const types = [...EVENT_READERS.keys()];
  const { items, isTruncated } = await readPages((after) =>
    client.events.list({ types, created: createdIn(span), limit: PAGE, ...after }),
  );
  const read: BillingEvent[] = [];
  const unreadable: Difference[] = [];
  // Oldest first, as they would have arrived.
  for (const event of items.toReversed()) {
    try {
      const found = readEvent(event, offers);
      if (found !== null) read.push(found);
    } catch {
      unreadable.push({ kind: "event-unreadable", eventId: event.id, type: event.type });
    }
  }
  const eventIds = JSON.stringify(read.map(({ eventId }) => eventId));
  const known = new Set(
    (await everywhere(databases, (reader) => knownEventIds.all(reader, { eventIds }))).map(
      ({ eventId }) => eventId,
    ),
  );
  return {
    count: items.length,
    isTruncated,
    unreadable,
    missing: read.filter(({ eventId }) => !known.has(eventId)),
  };
}

async function comparePayments(databases: Databases, { client }: StripeLibrary, span: Span) {
  const { items, isTruncated } = await readPages((after) =>
    client.charges.list({ created: createdIn(span), limit: PAGE, ...after }),
  );
  const paid = items.flatMap((charge) => {
    const intent = charge.payment_intent;
    const intentId = typeof intent === "string" ? intent : intent?.id;
    return charge.paid && intentId !== undefined ? [{ charge, intentId }] : [];
  });
  const intentIds = JSON.stringify(paid.map(({ intentId }) => intentId));
  const rows = await everywhere(databases, (reader) => knownPayments.all(reader, { intentIds }));
  const stored = new Map(
    rows.flatMap((row) => [[row.paymentId, row] as const, [row.intentId, row] as const]),
  );
  const differences = paid.flatMap(({ charge, intentId }): Difference[] => {
    const { amount, currency } = charge;
    const payment = stored.get(intentId);
    if (payment === undefined) {
      // A plan's charge carries no order; its missing invoice event is reported instead.
      const isOurs = charge.metadata.orderId !== undefined && charge.metadata.workspaceId !== undefined;
      return isOurs ? [{ kind: "payment-missing", paymentId: intentId, amount, currency }] : [];
    }
    const { paymentId, workspaceId } = payment;
    const compared = [
      ["amount-differs", amount, payment.amount],
      ["refund-differs", charge.amount_refunded, payment.amountRefunded],
    ] as const;
    return compared
      .filter(([, atProvider, ours]) => atProvider !== ours)
      .map(([kind, atProvider, ours]) => ({ kind, paymentId, workspaceId, atProvider, stored: ours }));
  });
  return { count: paid.length, isTruncated, differences };
}

/** Reconciles the last days, logs the differences and returns their number. For the sweep. */
export async function logDifferences(
  databases: Databases,
  service: BillingService,
  nowMs: number,
): Promise<number> {
  try {
    const found = await reconcile(databases, service, {
      sinceMs: nowMs - RECONCILED_MS,
      nowMs,
      isApplying: false,
    });
    for (const difference of found.differences) {
      log.failure({
        event: "billing_difference",
        code: difference.kind,
        ...("workspaceId" in difference ? { workspaceId: difference.workspaceId } : {}),
        ...("eventId" in difference ? { eventId: difference.eventId } : {}),
      });
    }
    return found.differences.length;
  } catch (thrown) {
    log.failure({ event: "payment_provider_failed" }, thrown);
    return 0;
  }
}
