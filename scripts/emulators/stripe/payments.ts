import type { StripeBook } from "./book.ts";
import type { ObjectOf } from "./schemas.ts";

/** Payments, refunds and disputes: what happens to the objects, and which events tell of it. */

/** Why the next payment fails. https://docs.stripe.com/declines/codes */
export type Decline = "card_declined" | "authentication_required";

interface PaymentTerms {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly description?: string | null;
  readonly metadata: Record<string, string>;
  readonly paymentMethod: string | null;
  readonly receiptEmail?: string | null;
  readonly setupFutureUsage?: "off_session" | "on_session" | null;
}

type PaymentIntent = ObjectOf<"payment_intent">;
type Charge = ObjectOf<"charge">;

export function createPaymentIntent(book: StripeBook, terms: PaymentTerms): PaymentIntent {
  const intent = book.put({
    ...book.base("payment_intent"),
    amount: terms.amount,
    amount_received: 0,
    currency: terms.currency,
    status: terms.paymentMethod === null ? "requires_payment_method" : "requires_confirmation",
    customer: terms.customer,
    payment_method: terms.paymentMethod,
    latest_charge: null,
    last_payment_error: null,
    description: terms.description ?? null,
    receipt_email: terms.receiptEmail ?? null,
    setup_future_usage: terms.setupFutureUsage ?? null,
    metadata: terms.metadata,
  });
  book.emit("payment_intent.created", intent);
  return intent;
}

/** A card that the customer has from now on, as Checkout saves it with `setup_future_usage`. */
export function createPaymentMethod(book: StripeBook, customer: string | null): ObjectOf<"payment_method"> {
  const method = book.put({
    ...book.base("payment_method"),
    type: "card" as const,
    customer,
    card: {
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: new Date().getUTCFullYear() + 4,
      country: "DE",
    },
    metadata: {},
  });
  if (customer !== null) book.emit("payment_method.attached", method);
  return method;
}

function createCharge(
  book: StripeBook,
  intent: PaymentIntent,
  decline: Decline | null,
  origin: string,
): Charge {
  const base = book.base("charge");
  return book.put({
    ...base,
    amount: intent.amount,
    amount_captured: decline === null ? intent.amount : 0,
    amount_refunded: 0,
    captured: decline === null,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline,
    failure_message: decline === null ? null : "Your card was declined.",
    paid: decline === null,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    receipt_email: intent.receipt_email,
    receipt_url: decline === null ? `${origin}/receipts/${base.id}` : null,
    refunded: false,
    status: decline === null ? "succeeded" : "failed",
    metadata: intent.metadata,
  });
}

/** Takes the money of a PaymentIntent, or fails to. `origin` is where receipts are shown. */
export function confirmPayment(
  book: StripeBook,
  intent: PaymentIntent,
  decline: Decline | null,
  origin: string,
): PaymentIntent {
  const charge = createCharge(book, intent, decline, origin);
  if (decline !== null) {
    const refused = book.put({
      ...intent,
      status: "requires_payment_method",
      latest_charge: charge.id,
      last_payment_error: {
        type: "card_error",
        code: decline,
        decline_code: decline === "card_declined" ? "generic_decline" : decline,
        message: "Your card was declined.",
        charge: charge.id,
      },
    });
    book.emit("charge.failed", charge);
    book.emit("payment_intent.payment_failed", refused);
    return refused;
  }
  const paid = book.put({
    ...intent,
    status: "succeeded",
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
  });
  book.emit("charge.succeeded", charge);
  book.emit("payment_intent.succeeded", paid);
  return paid;
}

const chargeOf = (book: StripeBook, paymentIntentId: string): Charge =>
  book.require("charge", book.require("payment_intent", paymentIntentId).latest_charge);

/** Gives money back; null takes all that is left. https://docs.stripe.com/refunds */
export function refundPayment(
  book: StripeBook,
  paymentIntentId: string,
  amount: number | null,
  reason: string | null = null,
): ObjectOf<"refund"> | null {
  const charge = chargeOf(book, paymentIntentId);
  const left = charge.amount - charge.amount_refunded;
  const taken = amount ?? left;
  if (taken < 1 || taken > left) return null;
  const refund = book.put({
    ...book.base("refund"),
    amount: taken,
    charge: charge.id,
    currency: charge.currency,
    payment_intent: paymentIntentId,
    reason,
    status: "succeeded" as const,
    metadata: {},
  });
  const refunded = book.put({
    ...charge,
    amount_refunded: charge.amount_refunded + taken,
    refunded: taken === left,
  });
  book.emit("refund.created", refund);
  book.emit("charge.refunded", refunded);
  return refund;
}

/** A refund that the customer's bank sends back. https://docs.stripe.com/refunds#failed-refunds */
export function failRefund(book: StripeBook, refundId: string): void {
  const refund = book.put({ ...book.require("refund", refundId), status: "failed" as const });
  const charge = book.require("charge", refund.charge);
  book.put({ ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
  book.emit("refund.failed", refund);
}

/** The customer's bank takes the money back until the dispute is decided. https://docs.stripe.com/disputes/how-disputes-work */
export function openDispute(
  book: StripeBook,
  paymentIntentId: string,
  amount: number | null,
): ObjectOf<"dispute"> {
  const charge = book.put({ ...chargeOf(book, paymentIntentId), disputed: true });
  const dispute = book.put({
    ...book.base("dispute"),
    amount: amount ?? charge.amount - charge.amount_refunded,
    charge: charge.id,
    currency: charge.currency,
    is_charge_refundable: false,
    payment_intent: paymentIntentId,
    reason: "fraudulent",
    status: "needs_response" as const,
    metadata: {},
  });
  book.emit("charge.dispute.created", dispute);
  book.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** Decides a dispute; a won one brings the money back. */
export function closeDispute(book: StripeBook, disputeId: string, status: "won" | "lost"): void {
  const dispute = book.put({ ...book.require("dispute", disputeId), status });
  if (status === "won") book.emit("charge.dispute.funds_reinstated", dispute);
  book.emit("charge.dispute.closed", dispute);
}
