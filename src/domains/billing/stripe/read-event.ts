import { z } from "zod";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import type { Offer } from "#platform/bindings/offers.ts";
import { log } from "#platform/log/log.ts";
import { type BillingEvent, billingFactSchema, type DisputeStatus } from "../events/billing-event.ts";
import {
  invoice,
  readFailedInvoice,
  readInvoicePayment,
  readPaidInvoice,
  readSubscription,
} from "./read-invoice.ts";
import { isInFuture, type SignedEvent, verifySignature } from "./stripe-library.ts";
import {
  integer,
  metadata,
  orderIdOf,
  type Reader,
  readMetadata,
  reference,
  text,
} from "./stripe-objects.ts";

/**
 * Reads facts from Stripe's events (docs.stripe.com/api/events/types). Parses only the needed fields, in the form of
 * API version 2026-10-28 and, where that is easy, of earlier versions. An object without our order belongs to another
 * product of the same account and has no fact.
 */

const envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.int().min(0),
  data: z.object({ object: z.unknown() }),
});

/**
 * The event of a request signed by Stripe; null for one that we do not need, which is answered with 200. 400
 * SIGNATURE_INVALID of `verifySignature`; 400 INVALID_REQUEST for an event dated in the future, which Stripe then
 * resends. Throws for a signed event of unknown form; Stripe resends it for three days, so that an operator can fix the
 * parsing.
 */
export async function verifyEvent(
  service: BillingService,
  signed: SignedEvent,
): Promise<Outcome<BillingEvent | null>> {
  const event = await verifySignature(service, signed);
  if (!event.ok) return event;
  const read = readOrLog(event.value, service.offers);
  if (read === null || !isInFuture(read.occurredAt, signed.nowMs)) return accept(read);
  log.failure({ event: "billing_event_in_future", eventId: read.eventId });
  return refuse("INVALID_REQUEST", "The event is dated in the future.");
}

function readOrLog(event: unknown, offers: readonly Offer[]): BillingEvent | null {
  try {
    return readEvent(event, offers);
  } catch (thrown) {
    const eventId = envelope.pick({ id: true }).safeParse(event).data?.id;
    log.failure({ event: "billing_event_unreadable", ...(eventId === undefined ? {} : { eventId }) });
    throw thrown;
  }
}

/**
 * The facts of a Stripe event; null when we do not need it. Plans are recognized by their prices in `offers`. Throws
 * for an unknown form.
 */
export function readEvent(event: unknown, offers: readonly Offer[]): BillingEvent | null {
  const { id: eventId, type, created: occurredAt, data } = envelope.parse(event);
  const fact = EVENT_READERS.get(type)?.(data.object, offers) ?? null;
  if (fact === null) return null;
  const workspaceId = workspaceIdOf(data.object);
  const named = workspaceId === undefined ? {} : { workspaceId };
  return { eventId, type, occurredAt, fact: billingFactSchema.parse(fact), ...named };
}

/** The workspace in an object's own metadata or its plan's. */
function workspaceIdOf(object: unknown): string | undefined {
  const found = z.object({ metadata }).safeParse(object).data?.metadata;
  const plan = invoice.pick({ parent: true }).safeParse(object).data?.parent?.subscription_details;
  return (readMetadata(found) ?? readMetadata(plan?.metadata))?.workspaceId;
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

/** A plan's first payment is read from its invoice; an unpaid session is followed by a later event. */
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

/** A charge has the metadata of its PaymentIntent. */
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

/** docs.stripe.com/api/refunds/object: a failed or canceled refund returned no money. */
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
 * docs.stripe.com/api/disputes/object: an inquiry (`warning_…`) holds no money back; an appeal reopens a lost dispute.
 * An unknown status counts as open, because the money is probably held back.
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

/** The handled types with their readers. docs/billing.md lists them for Stripe's dashboard. */
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
