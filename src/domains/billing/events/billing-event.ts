import { z } from "zod";

/**
 * The facts we read from provider events, each validated. Amounts are in the currency's minor unit, times in seconds of
 * the provider's clock. No personal data.
 */

const id = z.string().min(1).max(255);
const sum = z.int().min(0);
const currency = z.string().regex(/^[a-z]{3}$/);
const seconds = z.int().min(0);
/** A page of the provider that users may open. */
const pageUrl = z.url({ protocol: /^https?$/ }).max(2_000);

/** A payment of an order succeeded. `paymentId` is the PaymentIntent's id in every fact. */
const paymentSucceeded = z.object({
  kind: z.literal("payment-succeeded"),
  paymentId: id,
  orderId: id,
  amount: sum,
  currency,
});

/** A payment attempt failed; another may succeed, with the same id or a new one. */
const paymentFailed = z.object({
  kind: z.literal("payment-failed"),
  paymentId: id,
  orderId: id,
  /** The provider's error code, such as `card_declined`. */
  reason: z.string().max(100).nullable(),
});

/** The URL of a payment's receipt. Changes no credits. */
const charged = z.object({
  kind: z.literal("charged"),
  paymentId: id,
  receiptUrl: pageUrl,
});

/** A payment was refunded; `amountRefunded` is the total so far. */
const refunded = z.object({
  kind: z.literal("refunded"),
  paymentId: id,
  amountRefunded: sum,
  receiptUrl: pageUrl.nullable().catch(null),
});

/** A refund did not reach the customer and no longer counts. */
const refundFailed = z.object({
  kind: z.literal("refund-failed"),
  paymentId: id,
  refundId: id,
  amount: sum,
});

/** `inquiry`: the bank asks for information and holds no money back yet. */
export const DISPUTE_STATUSES = ["inquiry", "open", "won", "lost"] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

const disputed = z.object({
  kind: z.literal("disputed"),
  paymentId: id,
  disputeId: id,
  amount: sum,
  currency,
  status: z.enum(DISPUTE_STATUSES),
});

/** The price-list offer of a price; null when the list no longer has it. */
const plan = z.object({ offerId: id, quota: z.int().min(1) }).nullable();

/** An invoice of a plan was paid, so its period may open. */
const invoicePaid = z.object({
  kind: z.literal("invoice-paid"),
  invoiceId: id,
  subscriptionId: id,
  orderId: id,
  /** The PaymentIntent, if the event names it. Refunds and disputes name the payment by it. */
  intentId: id.nullable(),
  amount: sum,
  currency,
  /** The plan charged for, which customers may have changed on the provider's pages. */
  plan,
  periodStart: seconds,
  periodEnd: seconds,
  receiptUrl: pageUrl.nullable().catch(null),
});

const invoiceFailed = z.object({
  kind: z.literal("invoice-failed"),
  invoiceId: id,
  subscriptionId: id,
  orderId: id,
});

/**
 * The PaymentIntent that paid an invoice. May arrive before or after other events of the invoice or the PaymentIntent.
 */
const invoiceIntent = z.object({ kind: z.literal("invoice-intent"), invoiceId: id, intentId: id });

const subscriptionChanged = z.object({
  kind: z.literal("subscription-changed"),
  subscriptionId: id,
  orderId: id,
  /** The provider's status: `active`, `past_due`, `canceled` … */
  status: z.string().max(100),
  /** Scheduled end, if any. */
  cancelAt: seconds.nullable(),
  endedAt: seconds.nullable(),
});

export const billingFactSchema = z.discriminatedUnion("kind", [
  paymentSucceeded,
  paymentFailed,
  charged,
  refunded,
  refundFailed,
  disputed,
  invoicePaid,
  invoiceFailed,
  invoiceIntent,
  subscriptionChanged,
]);
export type BillingFact = Readonly<z.infer<typeof billingFactSchema>>;
export type FactOf<Kind extends BillingFact["kind"]> = Extract<BillingFact, { kind: Kind }>;

/** An event with a verified signature. */
export interface BillingEvent {
  readonly eventId: string;
  /** The provider's type, such as `charge.refunded`. */
  readonly type: string;
  /** Provider time in seconds; several events may have the same time. */
  readonly occurredAt: number;
  readonly fact: BillingFact;
  /** The workspace in the metadata of the event's object, if any. */
  readonly workspaceId?: string;
}

/** An event with one kind of fact. */
export type EventOf<Kind extends BillingFact["kind"]> = BillingEvent & { readonly fact: FactOf<Kind> };

/** Id of a fact's payment, invoice or subscription. Events are stored and found by it. */
export function objectIdOf(fact: BillingFact): string {
  if ("paymentId" in fact) return fact.paymentId;
  return fact.kind === "invoice-intent" ? fact.invoiceId : fact.subscriptionId;
}
