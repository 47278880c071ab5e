import type { BillingEvent, BillingFact, DisputeStatus, EventOf, FactOf } from "../events/billing-event.ts";

/** The value of a payment after refunds and disputes: a pure function of the set of its events, in any order. */

/** Amounts taken back from a payment, in its currency's minor unit. */
export interface PaymentFigures {
  readonly amountRefunded: number;
  /** Sum of open and lost disputes. */
  readonly amountDisputed: number;
  /** The worst status of its disputes. */
  readonly dispute: "open" | "lost" | "won" | null;
  readonly receiptUrl: string | null;
}

const ofKind = <Kind extends BillingFact["kind"]>(
  events: readonly BillingEvent[],
  kind: Kind,
): readonly EventOf<Kind>[] => events.filter((event): event is EventOf<Kind> => event.fact.kind === kind);

const compare = <T extends number | string>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** The last item by a total order. */
const lastBy = <Item>(items: readonly Item[], order: (one: Item, other: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (last, item) => (last === undefined || order(last, item) < 0 ? item : last),
    undefined,
  );

/** The latest refund event. Totals only grow, so of two events in the same second the larger total is later. */
const latestRefund = (events: readonly BillingEvent[]) =>
  lastBy(
    ofKind(events, "refunded"),
    (one, other) =>
      compare(one.occurredAt, other.occurredAt) ||
      compare(one.fact.amountRefunded, other.fact.amountRefunded) ||
      compare(one.eventId, other.eventId),
  );

/**
 * The latest cumulative total, less refunds that failed since; later totals exclude them already
 * (docs.stripe.com/refunds, "Failed refunds").
 */
function refundedIn(events: readonly BillingEvent[]): number {
  const latest = latestRefund(events);
  if (latest === undefined) return 0;
  const failed = ofKind(events, "refund-failed").filter(({ occurredAt }) => occurredAt >= latest.occurredAt);
  const amountByRefund = new Map(failed.map(({ fact }) => [fact.refundId, fact.amount]));
  const amountFailed = [...amountByRefund.values()].reduce((sum, amount) => sum + amount, 0);
  return Math.max(0, latest.fact.amountRefunded - amountFailed);
}

/** The receipt's URL. If there are several, the choice does not depend on the order of events. */
const receiptIn = (events: readonly BillingEvent[]): string | null =>
  lastBy(ofKind(events, "charged"), (one, other) => compare(one.fact.receiptUrl, other.fact.receiptUrl))?.fact
    .receiptUrl ?? null;

/** Ranks of statuses. Of two events in the same second, the one with the higher rank counts. */
const STATUS_RANK: Readonly<Record<DisputeStatus, number>> = { inquiry: 0, open: 1, lost: 2, won: 3 };

function latestDisputes(events: readonly BillingEvent[]): readonly FactOf<"disputed">[] {
  const disputed = ofKind(events, "disputed");
  const disputeIds = new Set(disputed.map(({ fact }) => fact.disputeId));
  return [...disputeIds].flatMap((disputeId) => {
    const latest = lastBy(
      disputed.filter(({ fact }) => fact.disputeId === disputeId),
      (one, other) =>
        compare(one.occurredAt, other.occurredAt) ||
        compare(STATUS_RANK[one.fact.status], STATUS_RANK[other.fact.status]) ||
        compare(one.eventId, other.eventId),
    );
    return latest === undefined ? [] : [latest.fact];
  });
}

/** Worst first. */
const WORST = ["open", "lost", "won"] as const;

/** Totals of a payment's events, in any order and possibly repeated. */
export function figuresOf(
  payment: { readonly currency: string; readonly amount: number },
  events: readonly BillingEvent[],
): PaymentFigures {
  const disputes = latestDisputes(events);
  const amountDisputed = disputes
    .filter(({ status }) => status === "open" || status === "lost")
    // A bank may dispute in the card's currency; then the whole payment counts as disputed.
    .map(({ amount, currency }) => (currency === payment.currency ? amount : payment.amount))
    .reduce((sum, amount) => sum + amount, 0);
  return {
    amountRefunded: refundedIn(events),
    amountDisputed,
    dispute: WORST.find((worst) => disputes.some(({ status }) => status === worst)) ?? null,
    receiptUrl: latestRefund(events)?.fact.receiptUrl ?? receiptIn(events),
  };
}

/** Credits bought by the part of a payment that is neither refunded nor disputed, rounded down. */
export function creditsKept(
  payment: { readonly amount: number; readonly credits: number },
  { amountRefunded, amountDisputed }: Pick<PaymentFigures, "amountRefunded" | "amountDisputed">,
): number {
  const amountKept = Math.max(0, payment.amount - amountRefunded - amountDisputed);
  return payment.credits === 0 ? 0 : Math.floor((payment.credits * amountKept) / payment.amount);
}

/** A payment's credits in the ledger, and how many of them are owed because the balance lacked them. */
export interface Holding {
  readonly creditsHeld: number;
  readonly creditsOwed: number;
}

/**
 * Adjusts the credits that a payment has in the ledger to `kept`; write `change` to the ledger. Deducts at most the
 * balance; the rest is owed. Afterwards held − owed = kept.
 */
export function settle(
  creditsHeld: number,
  kept: number,
  balance: number,
): Holding & { readonly change: number } {
  const change = creditsHeld <= kept ? kept - creditsHeld : -Math.min(creditsHeld - kept, balance);
  const held = creditsHeld + change;
  return { creditsHeld: held, creditsOwed: held - kept, change };
}

/** True while part of a payment is neither refunded nor disputed; also for a payment of 0. */
export const isMoneyKept = (
  payment: { readonly amount: number } & Pick<PaymentFigures, "amountRefunded" | "amountDisputed">,
): boolean => payment.amount === 0 || payment.amountRefunded + payment.amountDisputed < payment.amount;
