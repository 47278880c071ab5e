import type { CreditOffer } from "#platform/bindings/offers.ts";
import type { Provider } from "./provider.ts";
import {
  charge,
  checkoutSession,
  type DisputeFacts,
  type DisputeStatus,
  dispute,
  type IntentFacts,
  type Metadata,
  paymentIntent,
  type RefundFacts,
  refund,
} from "./stripe-objects.ts";

interface MadeRefund extends RefundFacts {
  status: "pending" | "succeeded" | "failed";
}

interface MadeDispute extends DisputeFacts {
  status: DisputeStatus;
}

/** A payment at the provider. */
export interface ProviderPayment {
  readonly intent: IntentFacts;
  readonly kind: "credits" | "top-up" | "plan";
  readonly workspaceId: string;
  /** Credits of the purchased offer; 0 for a plan. */
  readonly credits: number;
  /** The paid invoice, if this pays for a plan. */
  readonly invoiceId: string | null;
  status: "processing" | "succeeded" | "failed";
  readonly refunds: MadeRefund[];
  readonly disputes: MadeDispute[];
}

const total = (items: readonly { readonly amount: number }[]): number =>
  items.reduce((sum, { amount }) => sum + amount, 0);

/** Money that was refunded or is being refunded. */
const refundedOf = ({ refunds }: ProviderPayment): number =>
  total(refunds.filter(({ status }) => status !== "failed"));

/** Money that disputes have withdrawn; an inquiry (`warning_…`) withdraws none. */
const withdrawnOf = ({ disputes }: ProviderPayment): number =>
  total(disputes.filter(({ status }) => ["needs_response", "under_review", "lost"].includes(status)));

/** The amount of a payment that the seller keeps, at least 0 because refunds and disputes may exceed the payment. */
export const keptOf = (payment: ProviderPayment): number =>
  payment.status === "succeeded"
    ? Math.max(0, payment.intent.amount - refundedOf(payment) - withdrawnOf(payment))
    : 0;

const chargeOf = (payment: ProviderPayment): object =>
  charge(payment.intent, refundedOf(payment), payment.disputes.length > 0);

/** How a payment in Checkout proceeds: by card, or by a method that settles days later. */
export type Purchase = "card" | "card after a decline" | "later paid" | "later failed";

/** A user buys an offer in Checkout. */
export function buyInCheckout(
  provider: Provider,
  workspaceId: string,
  offer: CreditOffer,
  purchase: Purchase,
): ProviderPayment {
  const metadata = provider.order(workspaceId, "credits", offer);
  const payment = newPayment(provider, workspaceId, offer, "credits", metadata);
  const { intent } = payment;
  const session = {
    id: provider.newId("cs_test"),
    customerId: intent.customerId,
    workspaceId,
    amount: offer.amount,
    currency: offer.currency,
    created: provider.now,
    metadata,
    made: { mode: "payment" as const, paymentIntent: intent.id },
  };
  if (purchase === "card after a decline") {
    provider.emit("payment_intent.payment_failed", paymentIntent(intent, "requires_payment_method"));
  }
  if (purchase === "card" || purchase === "card after a decline") {
    succeed(provider, payment);
    provider.emit("checkout.session.completed", checkoutSession(session, "paid"));
    return payment;
  }
  provider.emit("payment_intent.processing", paymentIntent(intent, "processing"));
  provider.emit("checkout.session.completed", checkoutSession(session, "unpaid"));
  provider.now += 2 * 86_400;
  if (purchase === "later paid") {
    succeed(provider, payment);
    provider.emit("checkout.session.async_payment_succeeded", checkoutSession(session, "paid"));
  } else {
    payment.status = "failed";
    provider.emit("payment_intent.payment_failed", paymentIntent(intent, "requires_payment_method"));
    provider.emit("checkout.session.async_payment_failed", checkoutSession(session, "unpaid"));
  }
  return payment;
}

/** Charges the saved card without a user present. */
export const topUp = (
  provider: Provider,
  workspaceId: string,
  offer: CreditOffer,
  isPaid: boolean,
): ProviderPayment =>
  chargeSavedCard(provider, workspaceId, offer, provider.order(workspaceId, "top-up", offer), isPaid);

/** Like `topUp`, for an existing order. */
export function chargeSavedCard(
  provider: Provider,
  workspaceId: string,
  offer: CreditOffer,
  metadata: Metadata,
  isPaid: boolean,
): ProviderPayment {
  const payment = newPayment(provider, workspaceId, offer, "top-up", metadata);
  if (isPaid) succeed(provider, payment);
  else {
    payment.status = "failed";
    provider.emit("payment_intent.payment_failed", paymentIntent(payment.intent, "requires_payment_method"));
  }
  return payment;
}

function newPayment(
  provider: Provider,
  workspaceId: string,
  offer: CreditOffer,
  kind: "credits" | "top-up",
  metadata: Metadata,
): ProviderPayment {
  return {
    intent: {
      id: provider.newId("pi"),
      chargeId: provider.newId("ch"),
      customerId: provider.customerOf(workspaceId),
      amount: offer.amount,
      currency: offer.currency,
      created: provider.now,
      metadata,
    },
    kind,
    workspaceId,
    credits: offer.credits,
    invoiceId: null,
    status: "processing",
    refunds: [],
    disputes: [],
  };
}

/** The payment succeeds. */
export function succeed(provider: Provider, payment: ProviderPayment): void {
  payment.status = "succeeded";
  provider.emit("charge.succeeded", chargeOf(payment));
  provider.emit("payment_intent.succeeded", paymentIntent(payment.intent, "succeeded"));
}

const isWithdrawn = ({ disputes }: ProviderPayment): boolean =>
  disputes.some(({ status }) => ["needs_response", "under_review", "lost"].includes(status));

/**
 * Refunds a share of the remaining amount; nothing if the payment is disputed or was refunded
 * (https://docs.stripe.com/refunds, https://docs.stripe.com/disputes).
 */
export function refundShare(
  provider: Provider,
  payment: ProviderPayment,
  share: number,
  isPending: boolean,
): void {
  const left = keptOf(payment);
  const amount = Math.ceil(left * share);
  if (amount < 1 || isWithdrawn(payment)) return;
  const status = isPending ? "pending" : "succeeded";
  const made: MadeRefund = { id: provider.newId("re"), amount, created: provider.now, status };
  payment.refunds.push(made);
  provider.emit("refund.created", refund(made, payment.intent, status));
  provider.emit("charge.refunded", chargeOf(payment));
  if (!isPending) return;
  provider.now += 3_600;
  if (made.status !== "pending") return;
  made.status = "succeeded";
  provider.emit("refund.updated", refund(made, payment.intent, "succeeded"));
  provider.emit("charge.refund.updated", refund(made, payment.intent, "succeeded"));
}

/** The bank rejects a refund days later (https://docs.stripe.com/refunds#failed-refunds). */
export function failRefund(provider: Provider, payment: ProviderPayment, at: number): void {
  const made = payment.refunds[at % payment.refunds.length];
  if (made === undefined || made.status === "failed") return;
  made.status = "failed";
  for (const type of ["refund.updated", "refund.failed", "charge.refund.updated"]) {
    provider.emit(type, refund(made, payment.intent, "failed"));
  }
}

/** The cardholder disputes a share of the remaining amount, or the whole payment. An inquiry withdraws no money yet. */
export function openDispute(
  provider: Provider,
  payment: ProviderPayment,
  of: { readonly share: number; readonly isOfWhole: boolean; readonly isInquiry: boolean },
): void {
  const left = keptOf(payment);
  const amount = of.isOfWhole ? payment.intent.amount : Math.ceil(left * of.share);
  if (left < 1 || amount < 1) return;
  const status = of.isInquiry ? "warning_needs_response" : "needs_response";
  const made: MadeDispute = { id: provider.newId("dp"), amount, created: provider.now, status };
  payment.disputes.push(made);
  provider.emit("charge.dispute.created", dispute(made, payment.intent, status));
  if (!of.isInquiry) provider.emit("charge.dispute.funds_withdrawn", dispute(made, payment.intent, status));
}

export type DisputeEnd = "won" | "lost" | "answered" | "escalated";

/** Continues or ends a dispute. An inquiry is escalated or closed. */
export function moveDispute(provider: Provider, payment: ProviderPayment, at: number, end: DisputeEnd): void {
  const made = payment.disputes[at % payment.disputes.length];
  if (made === undefined) return;
  const emit = (type: string): void => provider.emit(type, dispute(made, payment.intent, made.status));
  switch (made.status) {
    case "warning_needs_response":
      if (end === "escalated") {
        made.status = "needs_response";
        emit("charge.dispute.updated");
        emit("charge.dispute.funds_withdrawn");
      } else {
        made.status = "warning_closed";
        emit("charge.dispute.closed");
      }
      return;
    case "needs_response":
    case "under_review":
      if (end === "answered" || end === "escalated") {
        made.status = "under_review";
        emit("charge.dispute.updated");
        return;
      }
      made.status = end;
      emit("charge.dispute.closed");
      if (end === "won") emit("charge.dispute.funds_reinstated");
      return;
    default:
  }
}
