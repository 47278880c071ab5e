import { LEDGER_DESCRIPTIONS } from "#api/ledger-descriptions.ts";
import type { CreditEvent } from "#domains/ledger/store.ts";
import { pick } from "#platform/pick-members.ts";
import type { BillingEvent, EventOf, FactOf } from "../events/billing-event.ts";
import type { RefusalReason } from "../events/event-store.ts";
import type { BilledWorkspace, Order, Payment } from "./payment-store.ts";
import { creditsKept, figuresOf, type PaymentFigures, settle } from "./refunds-and-disputes.ts";

/** The effect of an event on a payment and its workspace: pure functions of the stored state and the event. */

export interface PaymentState {
  /** Null while unknown. */
  readonly payment: Payment | null;
  /** The order that the event names; null when missing. */
  readonly order: Order | null;
  /** The payment's applied and waiting events, in any order, without this one. */
  readonly events: readonly BillingEvent[];
  /** The workspace of the payment or order; null when neither is known or it was deleted. */
  readonly workspace: BilledWorkspace | null;
  /** The workspace's payments with owed credits, oldest first. */
  readonly owing: readonly Payment[];
}

/** A payment to write. `from` is the stored revision on which the decision is based; null for a new payment. */
export interface PaymentWrite {
  readonly from: number | null;
  readonly payment: Payment;
}

export type PaymentEffect =
  | { readonly outcome: "ignored" | "waiting" }
  | { readonly outcome: "refused"; readonly reason: RefusalReason }
  | {
      readonly outcome: "applied";
      readonly writes: readonly PaymentWrite[];
      /** Events to write in this order, so that the balance never drops below 0. */
      readonly ledger: readonly Omit<CreditEvent, "nowMs">[];
      readonly suspension: "suspend" | "lift" | null;
      /** The payment, if this event creates it; else null. */
      readonly granted: Payment | null;
    };

/** True for a deleted workspace or an expired trial. */
export const hasEnded = (workspace: BilledWorkspace | null, nowMs: number): boolean =>
  workspace === null || (workspace.expiresAt !== null && workspace.expiresAt <= nowMs);

/** The reason why a payment buys nothing, or null if it matches its order. */
function refusalOf(
  fact: FactOf<"payment-succeeded">,
  { order, payment, workspace }: PaymentState,
  nowMs: number,
): RefusalReason | null {
  // The order was checked when the payment became known, and may have been deleted since.
  if (payment !== null) return null;
  if (order === null) return "ORDER_UNKNOWN";
  if (fact.amount !== order.amount || fact.currency !== order.currency) return "SUM_DIFFERS";
  return hasEnded(workspace, nowMs) ? "WORKSPACE_ENDED" : null;
}

const newPayment = (paymentId: string, order: Order, paidAt: number): Payment => ({
  paymentId,
  ...pick(order, "workspaceId", "kind", "offerId", "currency", "amount", "credits"),
  amountRefunded: 0,
  amountDisputed: 0,
  creditsHeld: order.credits,
  creditsOwed: 0,
  dispute: null,
  revision: 0,
  paidAt,
  receiptUrl: null,
});

export const IGNORED: PaymentEffect = { outcome: "ignored" };

/** The effect of a succeeded payment: grants the ordered credits, or refuses the payment. */
export function purchaseEffect(
  state: PaymentState,
  event: EventOf<"payment-succeeded">,
  nowMs: number,
): PaymentEffect {
  const { fact } = event;
  const reason = refusalOf(fact, state, nowMs);
  if (reason !== null) return { outcome: "refused", reason };
  if (state.payment !== null) return applied(state, event, state.payment);
  // A plan's period is opened by the event of its invoice, the only one that contains the period.
  if (state.order === null || state.order.kind === "plan") return IGNORED;
  return applied(state, event, newPayment(fact.paymentId, state.order, event.occurredAt * 1_000));
}

/** The effect of a receipt, refund or dispute; it waits until the payment is known. */
export const changeEffect = (state: PaymentState, event: BillingEvent): PaymentEffect =>
  state.payment === null ? { outcome: "waiting" } : applied(state, event, state.payment);

/**
 * The ledger's description of a change. It compares the amounts taken back before and after, so that it does not depend
 * on the order of events.
 */
function describe(before: Payment, after: Omit<PaymentFigures, "receiptUrl">, change: number): string {
  const disputed = after.amountDisputed - before.amountDisputed;
  if (change > 0) return disputed < 0 ? LEDGER_DESCRIPTIONS.disputeWon : LEDGER_DESCRIPTIONS.refundFailed;
  const isRefund = after.amountRefunded > before.amountRefunded;
  const isDispute = disputed > 0;
  if (isRefund === isDispute) return LEDGER_DESCRIPTIONS.refundedOrDisputed;
  return isRefund ? LEDGER_DESCRIPTIONS.refunded : LEDGER_DESCRIPTIONS.disputed;
}

/** The revision makes ledger references of one payment unique. */
const adjustmentReference = ({ paymentId, revision }: Payment): string =>
  `stripe:${paymentId}:adjustment:${revision}`;
const grantReference = (paymentId: string): string => `stripe:${paymentId}:grant`;

const isSame = (one: Payment, other: Payment): boolean =>
  one.amountRefunded === other.amountRefunded &&
  one.amountDisputed === other.amountDisputed &&
  one.creditsHeld === other.creditsHeld &&
  one.creditsOwed === other.creditsOwed &&
  one.dispute === other.dispute &&
  one.receiptUrl === other.receiptUrl;

/**
 * A payment whose credits are adjusted to what is neither refunded nor disputed, with the ledger event of the
 * difference, if any.
 */
function settled(payment: Payment, balance: number, description: (change: number) => string) {
  const { change, ...holding } = settle(payment.creditsHeld, creditsKept(payment, payment), balance);
  const after = { ...payment, ...holding, revision: payment.revision + 1 };
  const { workspaceId } = payment;
  const ledger =
    change === 0
      ? []
      : [
          {
            workspaceId,
            type: "adjustment" as const,
            amount: change,
            reference: adjustmentReference(after),
            description: description(change),
          },
        ];
  return { payment: after, ledger, balance: balance + change };
}

function applied(state: PaymentState, event: BillingEvent, known: Payment): PaymentEffect {
  const isNew = state.payment === null;
  const { receiptUrl, ...figures } = figuresOf(known, [...state.events, event]);
  const granted = isNew && known.credits > 0 ? [grantOf(known)] : [];
  const before = (state.workspace?.credits ?? 0) + (isNew ? known.credits : 0);
  const own = settled(
    { ...known, ...figures, receiptUrl: receiptUrl ?? known.receiptUrl },
    before,
    (change) => describe(known, figures, change),
  );
  const others = settleOwing(
    state.owing.filter(({ paymentId }) => paymentId !== known.paymentId),
    own.balance,
  );
  const isChanged = isNew || !isSame(known, own.payment);
  const ownWrite = { from: isNew ? null : known.revision, payment: own.payment };
  return {
    outcome: "applied",
    writes: [...(isChanged ? [ownWrite] : []), ...others.writes],
    ledger: [...granted, ...own.ledger, ...others.ledger],
    suspension: suspensionOf(state, known, own.payment, others.after),
    granted: isNew ? own.payment : null,
  };
}

const grantOf = ({ paymentId, workspaceId, credits }: Payment) => ({
  workspaceId,
  type: "grant" as const,
  amount: credits,
  reference: grantReference(paymentId),
  description: LEDGER_DESCRIPTIONS.bought,
});

/** Deducts owed credits from a balance, oldest payment first. */
function settleOwing(owing: readonly Payment[], balance: number) {
  let left = balance;
  const writes: PaymentWrite[] = [];
  const ledger: Omit<CreditEvent, "nowMs">[] = [];
  const after = owing.map((payment) => {
    const one = settled(payment, left, () => LEDGER_DESCRIPTIONS.owed);
    if (one.ledger.length === 0) return payment;
    left = one.balance;
    writes.push({ from: payment.revision, payment: one.payment });
    ledger.push(...one.ledger);
    return one.payment;
  });
  return { writes, ledger, after };
}

const isDisputed = ({ dispute }: Payment): boolean => dispute === "open" || dispute === "lost";
const owesForDispute = (payment: Payment): boolean => isDisputed(payment) && payment.creditsOwed > 0;

/** The effect of deducting owed credits from a workspace's balance. */
export function collectionEffect(workspace: BilledWorkspace, owing: readonly Payment[]) {
  const { writes, ledger, after } = settleOwing(owing, workspace.credits);
  const suspension = after.some(owesForDispute) ? null : liftOf(workspace);
  return { writes, ledger, suspension };
}

const liftOf = ({ suspendedAt, suspendedFor }: BilledWorkspace): "lift" | null =>
  suspendedAt !== null && suspendedFor === "dispute" ? "lift" : null;

/**
 * The change of a workspace's suspension. A new dispute over credits that are already spent suspends the workspace,
 * until no credits are owed for a dispute. A suspension by an operator stays. A workspace that an operator has resumed
 * is suspended only by another dispute.
 */
function suspensionOf(
  { workspace }: PaymentState,
  before: Payment,
  after: Payment,
  others: readonly Payment[],
): "suspend" | "lift" | null {
  if (workspace === null) return null;
  const isOwing = [after, ...others].some(owesForDispute);
  if (isOwing) {
    const isNewDispute = owesForDispute(after) && !isDisputed(before);
    return isNewDispute && workspace.suspendedAt === null ? "suspend" : null;
  }
  return liftOf(workspace);
}
