import type { StripeBook } from "./book.ts";
import type { Charge, Metadata, PaymentIntent } from "./objects.ts";

/** Payments and refunds: changes of objects, and their events. */

interface PaymentTerms {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly metadata: Metadata;
  readonly paymentMethod: string | null;
  readonly receiptEmail?: string | null;
}

/** Charges a payment; fails if the card is declined. */
export function takePayment(book: StripeBook, terms: PaymentTerms, isDeclined: boolean): PaymentIntent {
  const { amount, currency, customer, metadata, paymentMethod, receiptEmail = null } = terms;
  const intentBase = book.base("payment_intent");
  const chargeBase = book.base("charge");
  const charge: Charge = book.put({
    ...chargeBase,
    amount,
    amount_refunded: 0,
    currency,
    customer,
    paid: !isDeclined,
    payment_intent: intentBase.id,
    receipt_email: receiptEmail,
    receipt_url: isDeclined ? null : `${book.origin}/receipts/${chargeBase.id}`,
    refunded: false,
    metadata,
  });
  const intent: PaymentIntent = book.put({
    ...intentBase,
    amount,
    amount_received: isDeclined ? 0 : amount,
    currency,
    status: isDeclined ? "requires_payment_method" : "succeeded",
    customer,
    payment_method: paymentMethod,
    latest_charge: charge.id,
    // https://docs.stripe.com/declines/codes
    last_payment_error: isDeclined
      ? {
          type: "card_error",
          code: "card_declined",
          decline_code: "generic_decline",
          message: "Your card was declined.",
        }
      : null,
    metadata,
  });
  if (!isDeclined) book.emit("charge.succeeded", charge);
  book.emit(isDeclined ? "payment_intent.payment_failed" : "payment_intent.succeeded", intent);
  return intent;
}

/** Saves the customer's card, as Checkout does with `setup_future_usage`. */
export const keepCard = (book: StripeBook, customer: string): string =>
  book.put({ ...book.base("payment_method"), type: "card", customer }).id;

/** Refunds an amount; by default, all that is not refunded yet. https://docs.stripe.com/refunds */
export function refundPayment(book: StripeBook, paymentIntentId: string, amount: number | null): void {
  const intent = book.require("payment_intent", paymentIntentId);
  const charge = book.require("charge", intent.latest_charge);
  const left = charge.amount - charge.amount_refunded;
  const taken = amount ?? left;
  if (taken < 1 || taken > left) throw new Error(`the payment has ${left} left`);
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + taken, refunded: taken === left };
  book.emit("charge.refunded", book.put(refunded));
}
