import { accept, type Outcome, refuseMember } from "#api/errors.ts";
import type { MonthStatementView } from "#api/schemas/usage-statement.ts";
import { toTimestamp } from "#platform/clock.ts";
import { latest } from "#platform/db/reader.ts";
import { nextUtcMonthMs, utcMonthOf } from "#platform/utc-day.ts";
import {
  type EventSum,
  type MonthValues,
  monthBalances,
  monthEvents,
  monthPayments,
  monthPaymentTotals,
} from "./month-store.ts";

/** A workspace's monthly statement: opening balance, purchases, spending, refunds and closing balance. */

type Source = EventSum["source"];

const sumOf = (sums: readonly EventSum[]): number => sums.reduce((sum, { amount }) => sum + amount, 0);

const of = (events: readonly EventSum[], source: Source, type: EventSum["type"]) =>
  events.filter((event) => event.source === source && event.type === type);

/** Signed, as in the ledger. Avoids negative zero for an empty sum. */
const creditEvents = (events: readonly EventSum[]) => {
  const grants = of(events, "credits", "grant");
  return {
    purchases: sumOf(grants.filter(({ isPurchase }) => isPurchase === 1)),
    grants: sumOf(grants.filter(({ isPurchase }) => isPurchase === 0)),
    consumption: sumOf(of(events, "credits", "consumption")),
    refunds: sumOf(of(events, "credits", "refund")),
    adjustments: sumOf(of(events, "credits", "adjustment")),
    expiries: sumOf(of(events, "credits", "expiry")),
  };
};

/** Consumption, refunds and net spending of some events. */
function spendingIn(events: readonly EventSum[]) {
  const orders = events.filter(({ type }) => type === "consumption");
  const consumed = 0 - sumOf(orders);
  const refunded = sumOf(events.filter(({ type }) => type === "refund"));
  return {
    jobs: orders.reduce((sum, order) => sum + order.events, 0),
    ...{ consumed, refunded, spent: consumed - refunded },
  };
}

const bySource = (events: readonly EventSum[], source: Source) =>
  spendingIn(events.filter((event) => event.source === source));

/** Each contract with orders or refunds in the month, by its id. */
function byContract(events: readonly EventSum[]) {
  const contractIds = [...new Set(events.flatMap(({ contractId }) => contractId ?? []))];
  return contractIds.map((contractId) => ({
    contractId,
    ...spendingIn(events.filter((event) => event.contractId === contractId)),
  }));
}

function valuesOf(workspaceId: string, month: string): MonthValues {
  const startMs = Date.parse(`${month}-01`);
  const endMs = nextUtcMonthMs(startMs);
  return { workspaceId, month, nextMonth: utcMonthOf(endMs), startMs, endMs };
}

/**
 * The statement of a month, by default the current one; null for an unknown workspace. 400 INVALID_REQUEST for a future
 * month. One batch reads everything, so the figures are consistent.
 */
export async function readStatement(
  db: D1Database,
  workspaceId: string,
  requested: string | undefined,
  nowMs: number,
): Promise<Outcome<MonthStatementView> | null> {
  const present = utcMonthOf(nowMs);
  const month = requested ?? present;
  if (month > present) return refuseMember("query", "month", "must not be in the future");
  const values = valuesOf(workspaceId, month);
  const session = latest(db);
  const results = await session.batch(
    [monthBalances, monthEvents, monthPayments, monthPaymentTotals].map((one) => one.bind(session, values)),
  );
  const balances = monthBalances.row(results[0]);
  if (balances === null) return null;
  const events = monthEvents.rows(results[1]);
  const payments = monthPayments.rows(results[2]);
  return accept({
    workspaceId,
    workspaceName: balances.name,
    month,
    from: toTimestamp(values.startMs),
    to: toTimestamp(values.endMs),
    isOver: month < present,
    unit: "credit",
    credits: { opening: balances.opening, ...creditEvents(events), closing: balances.closing },
    orders: spendingIn(events),
    ordersBySource: {
      credits: bySource(events, "credits"),
      subscription: bySource(events, "subscription"),
      unlimited: bySource(events, "unlimited"),
    },
    contracts: byContract(events),
    payments: payments.map(({ paidAt, ...payment }) => ({ ...payment, paidAt: toTimestamp(paidAt) })),
    paymentTotals: monthPaymentTotals.rows(results[3]),
  });
}
