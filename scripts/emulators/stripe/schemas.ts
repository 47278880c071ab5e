import { z } from "zod";

/**
 * Stripe's objects as its interface documents them for version 2026-10-28.endive: recorded from the documentation, not
 * from an account. Fields that the service never reads are left out. https://docs.stripe.com/api
 */
export const API_VERSION = "2026-10-28.endive";

const seconds = z.int().nonnegative();
/** In the currency's minor unit. */
const sum = z.int().nonnegative();
const metadata = z.record(z.string(), z.string());
const common = { id: z.string(), created: seconds, livemode: z.literal(false) };
const currency = z.string().regex(/^[a-z]{3}$/);

/** https://docs.stripe.com/api/customers/object */
const customerSchema = z.strictObject({
  ...common,
  object: z.literal("customer"),
  email: z.string().nullable(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  metadata,
  invoice_settings: z.strictObject({ default_payment_method: z.string().nullable() }),
});

/** https://docs.stripe.com/api/payment_methods/object */
const paymentMethodSchema = z.strictObject({
  ...common,
  object: z.literal("payment_method"),
  type: z.literal("card"),
  customer: z.string().nullable(),
  card: z.strictObject({
    brand: z.string(),
    last4: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    country: z.string(),
  }),
  metadata,
});

/** https://docs.stripe.com/api/errors */
const cardErrorSchema = z.strictObject({
  type: z.literal("card_error"),
  code: z.enum(["card_declined", "authentication_required"]),
  decline_code: z.string(),
  message: z.string(),
  charge: z.string(),
});

/** https://docs.stripe.com/api/payment_intents/object */
const paymentIntentSchema = z.strictObject({
  ...common,
  object: z.literal("payment_intent"),
  amount: sum,
  amount_received: sum,
  currency,
  status: z.enum(["requires_payment_method", "requires_confirmation", "succeeded", "canceled"]),
  customer: z.string().nullable(),
  payment_method: z.string().nullable(),
  latest_charge: z.string().nullable(),
  last_payment_error: cardErrorSchema.nullable(),
  description: z.string().nullable(),
  receipt_email: z.string().nullable(),
  setup_future_usage: z.enum(["off_session", "on_session"]).nullable(),
  metadata,
});

/** https://docs.stripe.com/api/charges/object */
const chargeSchema = z.strictObject({
  ...common,
  object: z.literal("charge"),
  amount: sum,
  amount_captured: sum,
  amount_refunded: sum,
  captured: z.boolean(),
  currency,
  customer: z.string().nullable(),
  description: z.string().nullable(),
  disputed: z.boolean(),
  failure_code: z.string().nullable(),
  failure_message: z.string().nullable(),
  paid: z.boolean(),
  payment_intent: z.string(),
  payment_method: z.string().nullable(),
  receipt_email: z.string().nullable(),
  receipt_url: z.string().nullable(),
  refunded: z.boolean(),
  status: z.enum(["succeeded", "failed"]),
  metadata,
});

/** https://docs.stripe.com/api/refunds/object */
const refundSchema = z.strictObject({
  ...common,
  object: z.literal("refund"),
  amount: sum,
  charge: z.string(),
  currency,
  payment_intent: z.string(),
  reason: z.string().nullable(),
  status: z.enum(["succeeded", "pending", "failed", "canceled"]),
  metadata,
});

/** https://docs.stripe.com/api/disputes/object */
const disputeSchema = z.strictObject({
  ...common,
  object: z.literal("dispute"),
  amount: sum,
  charge: z.string(),
  currency,
  is_charge_refundable: z.boolean(),
  payment_intent: z.string(),
  reason: z.string(),
  status: z.enum(["needs_response", "under_review", "won", "lost"]),
  metadata,
});

/** https://docs.stripe.com/api/prices/object */
const priceSchema = z.strictObject({
  ...common,
  object: z.literal("price"),
  active: z.boolean(),
  currency,
  metadata,
  product: z.string(),
  recurring: z.strictObject({ interval: z.literal("month"), interval_count: z.literal(1) }).nullable(),
  type: z.enum(["one_time", "recurring"]),
  unit_amount: sum,
});

/** https://docs.stripe.com/api/products/object */
const productSchema = z.strictObject({
  ...common,
  object: z.literal("product"),
  active: z.boolean(),
  metadata,
  name: z.string(),
});

/** https://docs.stripe.com/api/checkout/sessions/object */
const checkoutSessionSchema = z.strictObject({
  ...common,
  object: z.literal("checkout.session"),
  amount_subtotal: sum,
  amount_total: sum,
  cancel_url: z.string().nullable(),
  client_reference_id: z.string().nullable(),
  currency,
  customer: z.string().nullable(),
  customer_creation: z.enum(["always", "if_required"]).nullable(),
  customer_details: z.strictObject({ email: z.string().nullable(), name: z.string().nullable() }).nullable(),
  customer_email: z.string().nullable(),
  expires_at: seconds,
  invoice: z.string().nullable(),
  metadata,
  mode: z.enum(["payment", "subscription"]),
  payment_intent: z.string().nullable(),
  payment_method_types: z.array(z.string()),
  payment_status: z.enum(["paid", "unpaid"]),
  status: z.enum(["open", "complete", "expired"]),
  subscription: z.string().nullable(),
  success_url: z.string().nullable(),
  url: z.string().nullable(),
});

/** https://docs.stripe.com/api/subscription_items/object: the period stands here, not at the subscription. */
const subscriptionItemSchema = z.strictObject({
  id: z.string(),
  object: z.literal("subscription_item"),
  created: seconds,
  current_period_start: seconds,
  current_period_end: seconds,
  metadata,
  price: priceSchema,
  quantity: z.int(),
  subscription: z.string(),
});

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    object: z.literal("list"),
    data: z.array(item),
    has_more: z.boolean(),
    url: z.string(),
  });

/** https://docs.stripe.com/api/subscriptions/object */
const subscriptionSchema = z.strictObject({
  ...common,
  object: z.literal("subscription"),
  billing_cycle_anchor: seconds,
  cancel_at: seconds.nullable(),
  cancel_at_period_end: z.boolean(),
  canceled_at: seconds.nullable(),
  collection_method: z.literal("charge_automatically"),
  currency,
  customer: z.string(),
  default_payment_method: z.string().nullable(),
  ended_at: seconds.nullable(),
  items: listOf(subscriptionItemSchema),
  latest_invoice: z.string().nullable(),
  metadata,
  start_date: seconds,
  status: z.enum(["active", "past_due", "unpaid", "canceled", "incomplete"]),
});

/** https://docs.stripe.com/api/invoice-line-item/object */
const lineSchema = z.strictObject({
  id: z.string(),
  object: z.literal("line_item"),
  amount: sum,
  currency,
  description: z.string(),
  invoice: z.string(),
  livemode: z.literal(false),
  metadata,
  parent: z.strictObject({
    type: z.literal("subscription_item_details"),
    invoice_item_details: z.null(),
    subscription_item_details: z.strictObject({
      invoice_item: z.null(),
      proration: z.literal(false),
      subscription: z.string(),
      subscription_item: z.string(),
    }),
  }),
  period: z.strictObject({ start: seconds, end: seconds }),
  pricing: z.strictObject({
    type: z.literal("price_details"),
    price_details: z.strictObject({ price: z.string(), product: z.string() }),
    unit_amount_decimal: z.string(),
  }),
  quantity: z.int(),
  subscription: z.string(),
});

/** https://docs.stripe.com/api/invoices/object. `period_*` of a renewal is the month before; its lines have the paid one. */
const invoiceSchema = z.strictObject({
  ...common,
  object: z.literal("invoice"),
  amount_due: sum,
  amount_paid: sum,
  amount_remaining: sum,
  attempt_count: z.int(),
  attempted: z.boolean(),
  billing_reason: z.enum(["subscription_create", "subscription_cycle"]),
  collection_method: z.literal("charge_automatically"),
  currency,
  customer: z.string(),
  customer_email: z.string().nullable(),
  hosted_invoice_url: z.string(),
  invoice_pdf: z.string(),
  lines: listOf(lineSchema),
  metadata,
  next_payment_attempt: seconds.nullable(),
  number: z.string(),
  parent: z.strictObject({
    type: z.literal("subscription_details"),
    quote_details: z.null(),
    subscription_details: z.strictObject({ metadata, subscription: z.string() }),
  }),
  period_start: seconds,
  period_end: seconds,
  status: z.enum(["open", "paid", "void", "uncollectible"]),
  status_transitions: z.strictObject({
    finalized_at: seconds,
    marked_uncollectible_at: seconds.nullable(),
    paid_at: seconds.nullable(),
    voided_at: seconds.nullable(),
  }),
  subtotal: sum,
  total: sum,
});

/** https://docs.stripe.com/api/invoice-payment/object: how an invoice's payment is found, and a payment's invoice. */
const invoicePaymentSchema = z.strictObject({
  ...common,
  object: z.literal("invoice_payment"),
  amount_paid: sum.nullable(),
  amount_requested: sum,
  currency,
  invoice: z.string(),
  is_default: z.boolean(),
  payment: z.strictObject({ type: z.literal("payment_intent"), payment_intent: z.string() }),
  status: z.enum(["open", "paid", "canceled"]),
  status_transitions: z.strictObject({ canceled_at: seconds.nullable(), paid_at: seconds.nullable() }),
});

/** https://docs.stripe.com/api/customer_portal/sessions/object */
const portalSessionSchema = z.strictObject({
  ...common,
  object: z.literal("billing_portal.session"),
  customer: z.string(),
  return_url: z.string().nullable(),
  url: z.string(),
});

export const stripeObjectSchema = z.discriminatedUnion("object", [
  customerSchema,
  paymentMethodSchema,
  paymentIntentSchema,
  chargeSchema,
  refundSchema,
  disputeSchema,
  priceSchema,
  productSchema,
  checkoutSessionSchema,
  subscriptionSchema,
  invoiceSchema,
  invoicePaymentSchema,
  portalSessionSchema,
]);
export type StripeObject = z.infer<typeof stripeObjectSchema>;
export type ObjectName = StripeObject["object"];
/** The object of a name, as `ObjectOf<"charge">`. */
export type ObjectOf<Name extends ObjectName> = Extract<StripeObject, { object: Name }>;

/** https://docs.stripe.com/api/events/object */
export const eventSchema = z.strictObject({
  ...common,
  object: z.literal("event"),
  api_version: z.string(),
  data: z.strictObject({ object: stripeObjectSchema }),
  pending_webhooks: z.int().nonnegative(),
  request: z.strictObject({ id: z.string().nullable(), idempotency_key: z.string().nullable() }),
  type: z.string(),
});
export type StripeEvent = z.infer<typeof eventSchema>;
