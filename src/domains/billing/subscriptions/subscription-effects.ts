import {
  afterPaid,
  firstPeriod,
  isReplaceable,
  type PaidPeriod,
  type Plan,
  withPayTime,
} from "#domains/ledger/plan.ts";
import type { BillingEvent, FactOf } from "../events/billing-event.ts";
import type { Order } from "../payments/payment-store.ts";

/** Computes a plan from the set of its events. Pure functions; neither order nor repetition of events matters. */

/** A plan, and the latest event of its subscription as `<seconds>:<event id>`; null if there is none. */
export interface FoldedPlan {
  readonly plan: Plan;
  readonly providerEvent: string | null;
}

interface PlanChange {
  readonly event: BillingEvent;
  readonly fact: FactOf<"subscription-changed">;
}

const toMs = (seconds: number): number => seconds * 1_000;
const toMsOrNull = (seconds: number | null): number | null => (seconds === null ? null : toMs(seconds));

/** The quota is that of the charged price, or the ordered one when the price list no longer has it. */
const periodOf = (fact: FactOf<"invoice-paid">, order: Order): PaidPeriod => ({
  planId: fact.plan?.offerId ?? order.offerId,
  quota: fact.plan?.quota ?? order.quota ?? 0,
  startMs: toMs(fact.periodStart),
  endMs: toMs(fact.periodEnd),
});

const isPaid = (fact: BillingEvent["fact"]): fact is FactOf<"invoice-paid"> => fact.kind === "invoice-paid";

/**
 * True when the second event is later. An end is final; in the same second the greater id wins, to be deterministic.
 */
function isLater(one: PlanChange, other: PlanChange): boolean {
  const isEnd = ({ fact }: PlanChange) => fact.endedAt !== null;
  if (isEnd(one) !== isEnd(other)) return isEnd(other);
  const { occurredAt: first, eventId: firstId } = one.event;
  const { occurredAt: second, eventId: secondId } = other.event;
  return first === second ? firstId < secondId : first < second;
}

function latestChange(events: readonly BillingEvent[]): PlanChange | null {
  const changes = events.flatMap((event) =>
    event.fact.kind === "subscription-changed" ? [{ event, fact: event.fact }] : [],
  );
  return changes.reduce<PlanChange | null>(
    (latest, change) => (latest === null || isLater(latest, change) ? change : latest),
    null,
  );
}

/**
 * A plan from its events, in any order and repeated; null until an invoice is paid. `isMoneyKept` returns false if the
 * payment of the period that starts at the given time was fully refunded or disputed.
 */
export function foldPlan(
  events: readonly BillingEvent[],
  order: Order,
  isMoneyKept: (periodStartMs: number) => boolean,
): FoldedPlan | null {
  const paid = events
    .map(({ fact }) => fact)
    .filter(isPaid)
    .map((fact) => periodOf(fact, order))
    .toSorted(
      (one, other) => one.startMs - other.startMs || one.endMs - other.endMs || one.quota - other.quota,
    );
  const [first, ...later] = paid;
  if (first === undefined) return null;
  const open = later.reduce(afterPaid, firstPeriod(first));
  const latest = latestChange(events);
  const endedAt = toMsOrNull(latest?.fact.endedAt ?? null);
  const cancelAt = toMsOrNull(latest?.fact.cancelAt ?? null);
  const isOver = endedAt !== null && endedAt >= open.periodEnd;
  const plan = { ...open, status: isOver ? ("canceled" as const) : open.status, cancelAt, endedAt };
  return {
    plan: withPayTime(plan, isMoneyKept(plan.periodStart)),
    providerEvent: latest === null ? null : `${latest.event.occurredAt}:${latest.event.eventId}`,
  };
}

export interface OtherPlans {
  /** The active plan; null if there is none. */
  readonly active: Plan | null;
  /** Start of the latest paid period of all these plans, in Unix milliseconds; null if there is none. */
  readonly latestPeriodStart: number | null;
}

/**
 * Whether a plan is its workspace's active one, decided from all plans, independent of event order. A plan alive at the
 * provider replaces one that has ended there. Otherwise the later period wins if the other plan is over or was not paid
 * in time. `waits`: the other plan seems alive; decided again when more is known. `replaced`: this plan is over and another
 * one followed.
 */
export function decidePlanRole(
  plan: Plan,
  { active, latestPeriodStart }: OtherPlans,
  nowMs: number,
): "active" | "waits" | "replaced" {
  const isOver = plan.endedAt !== null;
  if (active === null) {
    return isOver && latestPeriodStart !== null && latestPeriodStart > plan.periodStart
      ? "replaced"
      : "active";
  }
  const outlives = active.endedAt !== null && !isOver;
  const isLater = plan.periodStart > active.periodStart;
  if (outlives || (isLater && isReplaceable(active, nowMs))) return "active";
  return isOver ? "replaced" : "waits";
}
