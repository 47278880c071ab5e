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

/** What a plan is, from the set of its events: pure, and the same in whatever order and number they come. */

/** A plan with the latest word of the provider that it follows, as `<seconds>:<event id>`; null for none. */
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

/** Its quota is that of the price that was charged, or what was ordered where the price list has that no more. */
const periodOf = (fact: FactOf<"invoice-paid">, order: Order): PaidPeriod => ({
  planId: fact.plan?.offerId ?? order.offerId,
  quota: fact.plan?.quota ?? order.quota ?? 0,
  startMs: toMs(fact.periodStart),
  endMs: toMs(fact.periodEnd),
});

const isPaid = (fact: BillingEvent["fact"]): fact is FactOf<"invoice-paid"> => fact.kind === "invoice-paid";

/** True when the second word is later. The end is final; of one second the greater id counts, as good as any. */
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
 * A plan as its events tell it, in any order and repeated; null while none of its invoices is paid. `isMoneyKept` tells
 * of the open period, by when it begins.
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

/** The other plans of a workspace. */
export interface OtherPlans {
  /** The one that has the place now; null for none. */
  readonly active: Plan | null;
  /** When the latest period of any of them begins that was paid, in Unix ms; null where none was. */
  readonly latestPeriodStart: number | null;
}

/**
 * Whether a plan has its workspace's one place, by what is known of all its plans and not by which event came first. One
 * that lives at the provider takes it from one that is over there; else the one whose period began later has it, where the
 * other is over or was not paid in time. `waits`: the other one lives, as far as is known; it is decided again when more is
 * known. `gone`: it is over, and another one came after it.
 */
export function placeOf(
  plan: Plan,
  { active, latestPeriodStart }: OtherPlans,
  nowMs: number,
): "has" | "waits" | "gone" {
  const isOver = plan.endedAt !== null;
  if (active === null) {
    return isOver && latestPeriodStart !== null && latestPeriodStart > plan.periodStart ? "gone" : "has";
  }
  const outlives = active.endedAt !== null && !isOver;
  const isLater = plan.periodStart > active.periodStart;
  if (outlives || (isLater && isReplaceable(active, nowMs))) return "has";
  return isOver ? "gone" : "waits";
}
