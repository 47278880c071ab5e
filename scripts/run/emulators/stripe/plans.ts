import type { StripeBook } from "./book.ts";
import type { Invoice, Metadata, Subscription } from "./objects.ts";
import { keepCard, takePayment } from "./payments.ts";

/** Subscriptions and their invoices. https://docs.stripe.com/billing/subscriptions/overview */

/**
 * One month later; the last day if the month is shorter. https://docs.stripe.com/billing/subscriptions/billing-cycle
 */
function addMonth(seconds: number): number {
  const from = new Date(seconds * 1000);
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + 1);
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to.getTime() / 1000;
}

/** Invoices and charges a subscription's period. The payment has none of the subscription's metadata. */
function invoicePeriod(book: StripeBook, subscription: Subscription, isDeclined: boolean): void {
  const { customer, period, price } = subscription;
  const { amount, currency } = price;
  const base = book.base("invoice");
  const open: Invoice = book.put({
    ...base,
    amount_paid: 0,
    currency,
    customer,
    hosted_invoice_url: `${book.origin}/invoices/${base.id}`,
    lines: {
      object: "list",
      data: [
        {
          amount,
          currency,
          period,
          pricing: { type: "price_details", price_details: { price: price.id } },
        },
      ],
    },
    parent: {
      type: "subscription_details",
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    status: "open",
    total: amount,
  });
  const [method] = book.all("payment_method").filter((kept) => kept.customer === customer);
  const terms = { amount, currency, customer, metadata: {}, paymentMethod: method?.id ?? null };
  const intent = takePayment(book, terms, isDeclined);
  if (isDeclined) {
    book.emit("invoice.payment_failed", open);
    return;
  }
  const link = book.put({
    ...book.base("invoice_payment"),
    invoice: open.id,
    payment: { type: "payment_intent", payment_intent: intent.id },
  });
  book.emit("invoice_payment.paid", link);
  book.emit("invoice.paid", book.put({ ...open, amount_paid: amount, status: "paid" }));
}

/** A subscription with a paid first month, as Checkout creates it. */
export function startPlan(
  book: StripeBook,
  terms: Pick<Subscription, "customer" | "price"> & { readonly metadata: Metadata },
): void {
  const base = book.base("subscription");
  keepCard(book, terms.customer);
  const subscription: Subscription = book.put({
    ...base,
    ...terms,
    cancel_at: null,
    cancel_at_period_end: false,
    ended_at: null,
    period: { start: base.created, end: addMonth(base.created) },
    status: "active",
  });
  invoicePeriod(book, subscription, false);
}

/**
 * Renews a subscription, moving the clock forward if necessary: to a paid or unpaid month, or to its end if it was
 * canceled.
 */
export function renewPlan(book: StripeBook, subscriptionId: string): void {
  const subscription = book.require("subscription", subscriptionId);
  book.clockOffsetMs = Math.max(book.clockOffsetMs, subscription.period.end * 1000 - Date.now());
  const isDeclined = book.takeDecline();
  if (subscription.cancel_at_period_end) {
    const ended: Subscription = { ...subscription, status: "canceled", ended_at: book.now() };
    book.emit("customer.subscription.deleted", book.put(ended));
    return;
  }
  const { end } = subscription.period;
  const renewed: Subscription = book.put({
    ...subscription,
    period: { start: end, end: addMonth(end) },
    status: isDeclined ? "past_due" : "active",
  });
  book.emit("customer.subscription.updated", renewed);
  invoicePeriod(book, renewed, isDeclined);
}

/** Cancels at the period's end, or undoes that. https://docs.stripe.com/billing/subscriptions/cancel */
export function setCancelAtPeriodEnd(book: StripeBook, plan: Subscription, isCanceled: boolean): void {
  const changed = {
    ...plan,
    cancel_at_period_end: isCanceled,
    cancel_at: isCanceled ? plan.period.end : null,
  };
  book.emit("customer.subscription.updated", book.put(changed));
}
