import type { StripeBook } from "./book.ts";
import { confirmPayment, createPaymentIntent, type Decline } from "./payments.ts";
import type { ObjectOf } from "./schemas.ts";

/** Subscriptions and their invoices. https://docs.stripe.com/billing/subscriptions/overview */

type Subscription = ObjectOf<"subscription">;
type Invoice = ObjectOf<"invoice">;
type Price = ObjectOf<"price">;

interface Period {
  readonly start: number;
  readonly end: number;
}

/** A month later, on the last day where the month is shorter. https://docs.stripe.com/billing/subscriptions/billing-cycle */
function addMonth(seconds: number): number {
  const from = new Date(seconds * 1000);
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + 1);
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to.getTime() / 1000;
}

/** The one item that a plan here has. */
export function itemOf(subscription: Subscription) {
  const item = subscription.items.data[0];
  if (item === undefined) throw new Error(`the subscription ${subscription.id} has no item`);
  return item;
}

function createInvoice(
  book: StripeBook,
  subscription: Subscription,
  period: Period,
  reason: Invoice["billing_reason"],
  origin: string,
): Invoice {
  const base = book.base("invoice");
  const item = itemOf(subscription);
  const { price } = item;
  const customer = book.require("customer", subscription.customer);
  const isFirst = reason === "subscription_create";
  return book.put({
    ...base,
    amount_due: price.unit_amount,
    amount_paid: 0,
    amount_remaining: price.unit_amount,
    attempt_count: 0,
    attempted: false,
    billing_reason: reason,
    collection_method: "charge_automatically",
    currency: price.currency,
    customer: customer.id,
    customer_email: customer.email,
    hosted_invoice_url: `${origin}/invoices/${base.id}`,
    invoice_pdf: `${origin}/invoices/${base.id}`,
    lines: {
      object: "list",
      data: [
        {
          id: book.newId("line"),
          object: "line_item",
          amount: price.unit_amount,
          currency: price.currency,
          description: "1 × plan",
          invoice: base.id,
          livemode: false,
          metadata: subscription.metadata,
          parent: {
            type: "subscription_item_details",
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: false,
              subscription: subscription.id,
              subscription_item: item.id,
            },
          },
          period,
          pricing: {
            type: "price_details",
            price_details: { price: price.id, product: price.product },
            unit_amount_decimal: String(price.unit_amount),
          },
          quantity: 1,
          subscription: subscription.id,
        },
      ],
      has_more: false,
      url: `/v1/invoices/${base.id}/lines`,
    },
    metadata: {},
    next_payment_attempt: null,
    number: `LOCAL-${String(book.all("invoice").length + 1).padStart(4, "0")}`,
    parent: {
      type: "subscription_details",
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    // Of a first invoice both are its own moment; of a renewal they are the month that ends.
    period_start: isFirst ? base.created : item.current_period_start,
    period_end: isFirst ? base.created : item.current_period_end,
    status: "open",
    status_transitions: {
      finalized_at: base.created,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: price.unit_amount,
    total: price.unit_amount,
  });
}

/** Takes an invoice's sum by the subscription's card; the payment carries no metadata of the subscription. */
function payInvoice(book: StripeBook, open: Invoice, decline: Decline | null, origin: string): Invoice {
  const subscription = book.require("subscription", open.parent.subscription_details.subscription);
  const known = book.all("invoice_payment").find(({ invoice }) => invoice === open.id);
  const created =
    known === undefined
      ? createPaymentIntent(book, {
          amount: open.amount_due,
          currency: open.currency,
          customer: open.customer,
          description:
            open.billing_reason === "subscription_create" ? "Subscription creation" : "Subscription update",
          metadata: {},
          paymentMethod: subscription.default_payment_method,
        })
      : book.require("payment_intent", known.payment.payment_intent);
  const intent = confirmPayment(book, created, decline, origin);
  const paidAt = decline === null ? book.now() : null;
  const link = book.put({
    ...(known ?? {
      ...book.base("invoice_payment"),
      amount_requested: open.amount_due,
      currency: open.currency,
      invoice: open.id,
      is_default: true,
      payment: { type: "payment_intent" as const, payment_intent: intent.id },
    }),
    amount_paid: decline === null ? open.amount_due : null,
    status: decline === null ? ("paid" as const) : ("open" as const),
    status_transitions: { canceled_at: null, paid_at: paidAt },
  });
  const attempted = { ...open, attempt_count: open.attempt_count + 1, attempted: true };
  if (paidAt === null) {
    // https://docs.stripe.com/billing/revenue-recovery/smart-retries: it is tried again in some days.
    const failed = book.put({ ...attempted, next_payment_attempt: book.now() + 3 * 86_400 });
    book.emit("invoice.payment_failed", failed);
    return failed;
  }
  const paid = book.put({
    ...attempted,
    amount_paid: open.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status: "paid" as const,
    status_transitions: { ...open.status_transitions, paid_at: paidAt },
  });
  book.emit("invoice_payment.paid", link);
  book.emit("invoice.paid", paid);
  book.emit("invoice.payment_succeeded", paid);
  return paid;
}

/** A subscription whose first month is paid, as Checkout makes it. */
export function startPlan(
  book: StripeBook,
  terms: {
    readonly customer: string;
    readonly metadata: Record<string, string>;
    readonly paymentMethod: string;
    readonly price: Price;
  },
  origin: string,
): { subscription: Subscription; invoice: Invoice } {
  const base = book.base("subscription");
  const period = { start: base.created, end: addMonth(base.created) };
  const subscription: Subscription = book.put({
    ...base,
    billing_cycle_anchor: period.start,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: "charge_automatically",
    currency: terms.price.currency,
    customer: terms.customer,
    default_payment_method: terms.paymentMethod,
    ended_at: null,
    items: {
      object: "list",
      data: [
        {
          id: book.newId("item"),
          object: "subscription_item",
          created: base.created,
          current_period_start: period.start,
          current_period_end: period.end,
          metadata: {},
          price: terms.price,
          quantity: 1,
          subscription: base.id,
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${base.id}`,
    },
    latest_invoice: null,
    metadata: terms.metadata,
    start_date: period.start,
    status: "active",
  });
  const open = createInvoice(book, subscription, period, "subscription_create", origin);
  const started = book.put({ ...subscription, latest_invoice: open.id });
  book.emit("customer.subscription.created", started);
  book.emit("invoice.created", open);
  book.emit("invoice.finalized", open);
  return { subscription: started, invoice: payInvoice(book, open, null, origin) };
}

/** Ends a subscription now. */
export function endPlan(book: StripeBook, subscriptionId: string): Subscription {
  const subscription = book.require("subscription", subscriptionId);
  if (subscription.status === "canceled") return subscription;
  const ended = book.put({
    ...subscription,
    status: "canceled",
    canceled_at: subscription.canceled_at ?? book.now(),
    ended_at: book.now(),
  });
  book.emit("customer.subscription.deleted", ended);
  return ended;
}

/** What a subscription's period rolls over to: a month that is paid or owed, or its end where it was cancelled. */
export function renewPlan(
  book: StripeBook,
  subscriptionId: string,
  decline: Decline | null,
  origin: string,
): Subscription {
  const subscription = book.require("subscription", subscriptionId);
  if (subscription.cancel_at_period_end) return endPlan(book, subscriptionId);
  const item = itemOf(subscription);
  const period = { start: item.current_period_end, end: addMonth(item.current_period_end) };
  const open = createInvoice(book, subscription, period, "subscription_cycle", origin);
  const rolled: Subscription = book.put({
    ...subscription,
    items: {
      ...subscription.items,
      data: [{ ...item, current_period_start: period.start, current_period_end: period.end }],
    },
    latest_invoice: open.id,
  });
  book.emit("invoice.created", open);
  book.emit("customer.subscription.updated", rolled);
  book.emit("invoice.finalized", open);
  payInvoice(book, open, decline, origin);
  if (decline === null) return rolled;
  const late = book.put({ ...rolled, status: "past_due" as const });
  book.emit("customer.subscription.updated", late);
  return late;
}

/** Tries an invoice that is open again, as Stripe does by itself after some days. */
export function retryInvoice(
  book: StripeBook,
  invoiceId: string,
  decline: Decline | null,
  origin: string,
): Invoice {
  const open = book.require("invoice", invoiceId);
  if (open.status !== "open") return open;
  const invoice = payInvoice(book, open, decline, origin);
  const subscription = book.require("subscription", open.parent.subscription_details.subscription);
  if (invoice.status === "paid" && subscription.status === "past_due") {
    book.emit("customer.subscription.updated", book.put({ ...subscription, status: "active" as const }));
  }
  return invoice;
}

/** Cancels with the period's end, or takes that back. https://docs.stripe.com/billing/subscriptions/cancel */
export function setCancelAtPeriodEnd(
  book: StripeBook,
  subscriptionId: string,
  isCancelled: boolean,
): Subscription {
  const subscription = book.require("subscription", subscriptionId);
  const changed = book.put({
    ...subscription,
    cancel_at_period_end: isCancelled,
    cancel_at: isCancelled ? itemOf(subscription).current_period_end : null,
    canceled_at: isCancelled ? book.now() : null,
  });
  book.emit("customer.subscription.updated", changed);
  return changed;
}
