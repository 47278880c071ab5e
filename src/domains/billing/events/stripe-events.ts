import { z } from "zod";
import type { Offer } from "#platform/bindings/offers.ts";
import type { BillingFact, DisputeStatus } from "../billing-event.ts";

/**
 * Reads facts from Stripe's events (docs.stripe.com/api/events/types). Only members that are needed are looked at, in the
 * form of the interface's version 2026-10-28 and, where it costs nothing, of earlier ones. What carries no order of ours
 * is about something else that is sold with the same account: it has no fact.
 */

const text = z.string().min(1).max(255);
/** An object of Stripe is its id, or itself where it was expanded. */
const reference = z.union([text, z.object({ id: text }).transform(({ id }) => id)]);
const metadata = z.record(z.string(), z.unknown()).nullish();
const integer = z.int();

const ours = z.object({ orderId: text, workspaceId: text });

/** The order that metadata of ours name; null in that of others. */
const orderIdOf = (found: z.infer<typeof metadata>): string | null =>
  ours.safeParse(found).data?.orderId ?? null;

/** The workspace that an object names in our metadata, its own or those of its plan. */
export function workspaceIdOf(object: unknown): string | undefined {
  const found = z.object({ metadata }).safeParse(object).data?.metadata;
  const plan = invoice.pick({ parent: true }).safeParse(object).data?.parent?.subscription_details;
  return (ours.safeParse(found).data ?? ours.safeParse(plan?.metadata).data)?.workspaceId;
}

type Reader = (object: unknown, offers: readonly Offer[]) => BillingFact | null;

/** The plan that a price is in the price list. */
function planOfPrice(priceId: string | undefined, offers: readonly Offer[]) {
  const offer = offers.find((each) => each.kind === "plan" && each.priceId === priceId);
  return offer?.kind === "plan" ? { offerId: offer.offerId, quota: offer.quota } : null;
}

const session = z.object({
  mode: z.string(),
  payment_status: z.string(),
  payment_intent: reference.nullish(),
  amount_total: integer.nullish(),
  currency: z.string().nullish(),
  metadata,
});
const paidSession = session.required({ amount_total: true, currency: true, payment_intent: true });

/** A plan's first payment is told by its invoice; one that is still under way, by a later event. */
const readPaidSession: Reader = (object) => {
  const found = session.parse(object);
  const orderId = orderIdOf(found.metadata);
  if (orderId === null || found.mode !== "payment" || found.payment_status !== "paid") return null;
  const { payment_intent: paymentId, amount_total: amount, currency } = paidSession.parse(object);
  return {
    kind: "payment-succeeded",
    paymentId: text.parse(paymentId),
    orderId,
    amount: integer.parse(amount),
    currency: text.parse(currency),
  };
};

const readFailedSession: Reader = (object) => {
  const { mode, payment_intent: paymentId, metadata } = session.parse(object);
  const orderId = orderIdOf(metadata);
  if (orderId === null || mode !== "payment") return null;
  return { kind: "payment-failed", paymentId: text.parse(paymentId), orderId, reason: null };
};

const intent = z.object({
  id: text,
  amount_received: integer,
  currency: text,
  metadata,
  last_payment_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullish(),
});

const readPaidIntent: Reader = (object) => {
  const { id: paymentId, amount_received: amount, currency, metadata } = intent.parse(object);
  const orderId = orderIdOf(metadata);
  return orderId === null ? null : { kind: "payment-succeeded", paymentId, orderId, amount, currency };
};

const readFailedIntent: Reader = (object) => {
  const {
    id: paymentId,
    metadata,
    last_payment_error: error,
  } = intent.partial({ amount_received: true }).parse(object);
  const orderId = orderIdOf(metadata);
  const reason = error?.decline_code ?? error?.code ?? null;
  return orderId === null ? null : { kind: "payment-failed", paymentId, orderId, reason };
};

const charge = z.object({
  payment_intent: reference.nullish(),
  amount_refunded: integer,
  receipt_url: z.string().nullish(),
  metadata,
});

/** A charge carries the metadata of its PaymentIntent. */
const readCharge: Reader = (object) => {
  const { payment_intent: paymentId, receipt_url: receiptUrl, metadata } = charge.parse(object);
  const isOurs = paymentId != null && receiptUrl != null && orderIdOf(metadata) !== null;
  return isOurs ? { kind: "charged", paymentId, receiptUrl } : null;
};

const readRefundedCharge: Reader = (object) => {
  const { payment_intent: paymentId, amount_refunded: amountRefunded, receipt_url } = charge.parse(object);
  if (paymentId == null) return null;
  return { kind: "refunded", paymentId, amountRefunded, receiptUrl: receipt_url ?? null };
};

const refund = z.object({
  id: text,
  amount: integer,
  status: z.string().nullish(),
  payment_intent: reference.nullish(),
});

/** docs.stripe.com/api/refunds/object: a refund that failed or was canceled has given nothing back. */
const readRefund: Reader = (object) => {
  const { id: refundId, amount, status, payment_intent: paymentId } = refund.parse(object);
  if (paymentId == null || (status !== "failed" && status !== "canceled")) return null;
  return { kind: "refund-failed", paymentId, refundId, amount };
};

const dispute = z.object({
  id: text,
  amount: integer,
  currency: text,
  status: z.string(),
  payment_intent: reference.nullish(),
});

/**
 * docs.stripe.com/api/disputes/object: an inquiry (`warning_…`) holds nothing back; an appeal reopens what was lost. A word
 * that is not known yet counts as open, for the money is probably held.
 */
const DISPUTE_STATUS_OF: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "inquiry",
  warning_closed: "won",
  prevented: "won",
  won: "won",
  lost: "lost",
};

const readDispute: Reader = (object) => {
  const found = dispute.parse(object);
  if (found.payment_intent == null) return null;
  return {
    kind: "disputed",
    paymentId: found.payment_intent,
    disputeId: found.id,
    amount: found.amount,
    currency: found.currency,
    status: DISPUTE_STATUS_OF[found.status] ?? "open",
  };
};

const invoice = z.object({
  id: text,
  amount_paid: integer,
  currency: text,
  hosted_invoice_url: z.string().nullish(),
  parent: z
    .object({ subscription_details: z.object({ subscription: reference, metadata }).nullish() })
    .nullish(),
  lines: z.object({
    data: z.array(
      z.object({
        amount: integer,
        period: z.object({ start: integer, end: integer }),
        pricing: z.object({ price_details: z.object({ price: reference }).nullish() }).nullish(),
      }),
    ),
  }),
  payments: z
    .object({ data: z.array(z.object({ payment: z.object({ payment_intent: reference.nullish() }) })) })
    .nullish(),
});

/** The parts of an invoice that name our plan; null for another. */
function planOf({ parent }: z.infer<typeof invoice>) {
  const details = parent?.subscription_details;
  const orderId = orderIdOf(details?.metadata);
  return details == null || orderId === null ? null : { subscriptionId: details.subscription, orderId };
}

const readPaidInvoice: Reader = (object, offers) => {
  const found = invoice.parse(object);
  const plan = planOf(found);
  // The invoice's own period is that before it; the line's is what is paid for. A change of plan has two: what is given
  // back of the old price, and the new one's.
  const [latest] = found.lines.data.toSorted(
    (one, other) => other.period.end - one.period.end || other.amount - one.amount,
  );
  if (plan === null || latest === undefined) return null;
  return {
    kind: "invoice-paid",
    invoiceId: found.id,
    ...plan,
    intentId: found.payments?.data[0]?.payment.payment_intent ?? null,
    amount: found.amount_paid,
    currency: found.currency,
    plan: planOfPrice(latest.pricing?.price_details?.price, offers),
    periodStart: latest.period.start,
    periodEnd: latest.period.end,
    receiptUrl: found.hosted_invoice_url ?? null,
  };
};

const readFailedInvoice: Reader = (object) => {
  const found = invoice.parse(object);
  const plan = planOf(found);
  return plan === null ? null : { kind: "invoice-failed", invoiceId: found.id, ...plan };
};

const invoicePayment = z.object({
  invoice: reference,
  payment: z.object({ payment_intent: reference.nullish() }),
});

/** docs.stripe.com/api/invoice-payment/object: one that was paid by other means has no PaymentIntent. */
const readInvoicePayment: Reader = (object) => {
  const { invoice: invoiceId, payment } = invoicePayment.parse(object);
  return payment.payment_intent == null
    ? null
    : { kind: "invoice-intent", invoiceId, intentId: payment.payment_intent };
};

const subscription = z.object({
  id: text,
  status: text,
  cancel_at: integer.nullish(),
  ended_at: integer.nullish(),
  metadata,
});

const readSubscription: Reader = (object) => {
  const { id: subscriptionId, status, cancel_at, ended_at, metadata } = subscription.parse(object);
  const orderId = orderIdOf(metadata);
  if (orderId === null) return null;
  return {
    kind: "subscription-changed",
    subscriptionId,
    orderId,
    status,
    cancelAt: cancel_at ?? null,
    endedAt: ended_at ?? null,
  };
};

/** The types that we take, each with its reader. docs/billing.md lists them for Stripe's dashboard. */
export const EVENT_READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    "checkout.session.completed": readPaidSession,
    "checkout.session.async_payment_succeeded": readPaidSession,
    "checkout.session.async_payment_failed": readFailedSession,
    "payment_intent.succeeded": readPaidIntent,
    "payment_intent.payment_failed": readFailedIntent,
    "charge.succeeded": readCharge,
    "charge.refunded": readRefundedCharge,
    "refund.failed": readRefund,
    "charge.refund.updated": readRefund,
    "charge.dispute.created": readDispute,
    "charge.dispute.updated": readDispute,
    "charge.dispute.funds_withdrawn": readDispute,
    "charge.dispute.funds_reinstated": readDispute,
    "charge.dispute.closed": readDispute,
    "invoice.paid": readPaidInvoice,
    "invoice.payment_failed": readFailedInvoice,
    "invoice_payment.paid": readInvoicePayment,
    "customer.subscription.updated": readSubscription,
    "customer.subscription.deleted": readSubscription,
  }),
);
