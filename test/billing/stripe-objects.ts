/**
 * Stripe's objects as sent in events, with the fields that matter for Checkout and some misleading fields
 * (https://docs.stripe.com/api, version 2026-10-28.endive).
 */

export type Metadata = Readonly<Record<string, string>>;

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** Unix time in seconds; several events may have the same value. */
  readonly created: number;
  /** The signed body. */
  readonly payload: string;
}

/** https://docs.stripe.com/api/events/object */
export const eventOf = (
  id: string,
  type: string,
  created: number,
  object: object,
  previous: object | null = null,
): StripeEvent => ({
  id,
  type,
  created,
  payload: JSON.stringify({
    id,
    object: "event",
    api_version: "2026-10-28.endive",
    created,
    data: { object, ...(previous === null ? {} : { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }),
});

const list = (data: readonly object[], url: string) => ({ object: "list", data, has_more: false, url });

export interface IntentFacts {
  readonly id: string;
  readonly chargeId: string;
  readonly customerId: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  /** Empty for the intent of an invoice: Stripe does not copy a subscription's metadata to it. */
  readonly metadata: Metadata;
}

/** https://docs.stripe.com/api/payment_intents/object */
export const paymentIntent = (
  facts: IntentFacts,
  status: "succeeded" | "processing" | "requires_payment_method",
) => ({
  id: facts.id,
  object: "payment_intent",
  amount: facts.amount,
  amount_capturable: 0,
  amount_received: status === "succeeded" ? facts.amount : 0,
  created: facts.created,
  currency: facts.currency,
  customer: facts.customerId,
  last_payment_error:
    status === "requires_payment_method"
      ? {
          type: "card_error",
          code: "card_declined",
          decline_code: "insufficient_funds",
          message: "Declined.",
        }
      : null,
  latest_charge: facts.chargeId,
  livemode: false,
  metadata: facts.metadata,
  status,
});

/** https://docs.stripe.com/api/charges/object; the intent's metadata is copied to it. */
export const charge = (facts: IntentFacts, refunded: number, isDisputed: boolean) => ({
  id: facts.chargeId,
  object: "charge",
  amount: facts.amount,
  amount_captured: facts.amount,
  amount_refunded: refunded,
  captured: true,
  created: facts.created,
  currency: facts.currency,
  customer: facts.customerId,
  disputed: isDisputed,
  livemode: false,
  metadata: facts.metadata,
  paid: true,
  payment_intent: facts.id,
  receipt_url: `https://pay.stripe.com/receipts/${facts.chargeId}`,
  // True only for a full refund.
  refunded: refunded === facts.amount,
  status: "succeeded",
});

export interface RefundFacts {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
}

/** https://docs.stripe.com/api/refunds/object */
export const refund = (facts: RefundFacts, of: IntentFacts, status: "pending" | "succeeded" | "failed") => ({
  id: facts.id,
  object: "refund",
  amount: facts.amount,
  charge: of.chargeId,
  created: facts.created,
  currency: of.currency,
  ...(status === "failed" ? { failure_reason: "expired_or_canceled_card" } : {}),
  metadata: {},
  payment_intent: of.id,
  reason: null,
  status,
});

export type DisputeStatus =
  | "warning_needs_response"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost";

export interface DisputeFacts {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
}

/** https://docs.stripe.com/api/disputes/object */
export const dispute = (facts: DisputeFacts, of: IntentFacts, status: DisputeStatus) => ({
  id: facts.id,
  object: "dispute",
  amount: facts.amount,
  balance_transactions: [],
  charge: of.chargeId,
  created: facts.created,
  currency: of.currency,
  is_charge_refundable: status.startsWith("warning"),
  livemode: false,
  metadata: {},
  payment_intent: of.id,
  reason: "fraudulent",
  status,
});

export interface SessionFacts {
  readonly id: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly metadata: Metadata;
  /** Objects created by the session: an intent, or a subscription and its first invoice. */
  readonly made:
    | { readonly mode: "payment"; readonly paymentIntent: string }
    | { readonly mode: "subscription"; readonly subscription: string; readonly invoice: string };
}

/** https://docs.stripe.com/api/checkout/sessions/object */
export const checkoutSession = (facts: SessionFacts, paymentStatus: "paid" | "unpaid") => ({
  id: facts.id,
  object: "checkout.session",
  amount_subtotal: facts.amount,
  amount_total: facts.amount,
  client_reference_id: facts.workspaceId,
  created: facts.created,
  currency: facts.currency,
  customer: facts.customerId,
  customer_details: { email: "ada@accounts.example", name: "Ada" },
  invoice: facts.made.mode === "subscription" ? facts.made.invoice : null,
  livemode: false,
  metadata: facts.metadata,
  mode: facts.made.mode,
  payment_intent: facts.made.mode === "payment" ? facts.made.paymentIntent : null,
  payment_status: paymentStatus,
  status: "complete",
  subscription: facts.made.mode === "subscription" ? facts.made.subscription : null,
  url: null,
});

export interface SubscriptionFacts {
  readonly id: string;
  readonly itemId: string;
  readonly customerId: string;
  readonly created: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly priceId: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly cancelAt: number | null;
  readonly endedAt: number | null;
  readonly status: "incomplete" | "active" | "past_due" | "canceled";
  readonly latestInvoiceId: string;
}

/** https://docs.stripe.com/api/subscriptions/object; the periods are in its items. */
export const subscription = (facts: SubscriptionFacts) => ({
  id: facts.id,
  object: "subscription",
  cancel_at: facts.cancelAt,
  cancel_at_period_end: facts.cancelAt !== null,
  canceled_at: facts.cancelAt === null && facts.endedAt === null ? null : facts.created,
  collection_method: "charge_automatically",
  created: facts.created,
  currency: facts.currency,
  customer: facts.customerId,
  ended_at: facts.endedAt,
  items: list(
    [
      {
        id: facts.itemId,
        object: "subscription_item",
        current_period_end: facts.periodEnd,
        current_period_start: facts.periodStart,
        price: { id: facts.priceId, object: "price", currency: facts.currency, type: "recurring" },
        quantity: 1,
        subscription: facts.id,
      },
    ],
    `/v1/subscription_items?subscription=${facts.id}`,
  ),
  latest_invoice: facts.latestInvoiceId,
  livemode: false,
  metadata: facts.metadata,
  status: facts.status,
});

export interface InvoiceFacts {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  readonly reason: "subscription_create" | "subscription_cycle";
  readonly priceId: string;
  /** The paid period. */
  readonly start: number;
  readonly end: number;
}

/**
 * https://docs.stripe.com/api/invoices/object. The invoice's `period_start` and `period_end` are of the previous
 * period; its line has the paid period. Events contain the invoice without its payments.
 */
export function invoice(facts: InvoiceFacts, of: SubscriptionFacts, paidAt: number | null, attempts: number) {
  const isFirst = facts.reason === "subscription_create";
  return {
    id: facts.id,
    object: "invoice",
    amount_due: facts.amount,
    amount_paid: paidAt === null ? 0 : facts.amount,
    amount_remaining: paidAt === null ? facts.amount : 0,
    attempt_count: attempts,
    attempted: true,
    billing_reason: facts.reason,
    collection_method: "charge_automatically",
    created: facts.created,
    currency: of.currency,
    customer: of.customerId,
    hosted_invoice_url: `https://invoice.stripe.com/i/${facts.id}`,
    invoice_pdf: `https://pay.stripe.com/invoice/${facts.id}/pdf`,
    lines: list(
      [
        {
          id: `il_${facts.id}`,
          object: "line_item",
          amount: facts.amount,
          currency: of.currency,
          invoice: facts.id,
          metadata: of.metadata,
          parent: {
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: false,
              subscription: of.id,
              subscription_item: of.itemId,
            },
            type: "subscription_item_details",
          },
          period: { start: facts.start, end: facts.end },
          pricing: {
            price_details: { price: facts.priceId, product: "prod_plan" },
            type: "price_details",
            unit_amount_decimal: String(facts.amount),
          },
          quantity: 1,
        },
      ],
      `/v1/invoices/${facts.id}/lines`,
    ),
    livemode: false,
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: of.metadata, subscription: of.id },
      type: "subscription_details",
    },
    period_end: facts.start,
    period_start: isFirst ? facts.start : facts.start - (facts.end - facts.start),
    status: paidAt === null ? "open" : "paid",
    status_transitions: {
      finalized_at: facts.created,
      marked_uncollectible_at: null,
      paid_at: paidAt,
      voided_at: null,
    },
    subtotal: facts.amount,
    total: facts.amount,
  };
}

/** https://docs.stripe.com/api/invoice-payment/object: the only event that names both an invoice and its intent. */
export const invoicePayment = (facts: InvoiceFacts, by: IntentFacts, paidAt: number) => ({
  id: `inpay_${facts.id}`,
  object: "invoice_payment",
  amount_paid: facts.amount,
  amount_requested: facts.amount,
  created: facts.created,
  currency: by.currency,
  invoice: facts.id,
  is_default: true,
  livemode: false,
  payment: { payment_intent: by.id, type: "payment_intent" },
  status: "paid",
  status_transitions: { canceled_at: null, paid_at: paidAt },
});
