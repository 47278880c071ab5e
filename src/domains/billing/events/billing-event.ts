import { z } from "zod";

/**
 * What we read of the payment provider's events: our own facts, each checked. Sums are in the currency's minor unit,
 * times in seconds of the provider's clock. Nothing of it names a person.
 */

const id = z.string().min(1).max(255);
const sum = z.int().min(0);
const currency = z.string().regex(/^[a-z]{3}$/);
const seconds = z.int().min(0);
/** A page of the provider, shown to people. */
const pageUrl = z.url({ protocol: /^https?$/ }).max(2_000);

/** A payment of an order has succeeded. `paymentId` is the PaymentIntent, of any fact. */
const paymentSucceeded = z.object({
  kind: z.literal("payment-succeeded"),
  paymentId: id,
  orderId: id,
  amount: sum,
  currency,
});

/** A payment of an order has failed; another attempt may succeed, under the same or another id. */
const paymentFailed = z.object({
  kind: z.literal("payment-failed"),
  paymentId: id,
  orderId: id,
  /** The provider's code, as `card_declined`. */
  reason: z.string().max(100).nullable(),
});

/** Where the receipt of a payment is. It moves no money. */
const charged = z.object({
  kind: z.literal("charged"),
  paymentId: id,
  receiptUrl: pageUrl,
});

/** How much of a payment was given back until then, in sum. */
const refunded = z.object({
  kind: z.literal("refunded"),
  paymentId: id,
  amountRefunded: sum,
  receiptUrl: pageUrl.nullable().catch(null),
});

/** One refund did not reach the customer, and is no refund any more. */
const refundFailed = z.object({
  kind: z.literal("refund-failed"),
  paymentId: id,
  refundId: id,
  amount: sum,
});

/** `inquiry`: the bank asks, and holds nothing back yet. */
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

/** The offer of the price list that a price is; null where none is, any more. */
const plan = z.object({ offerId: id, quota: z.int().min(1) }).nullable();

/** An invoice of a plan was paid: its period may open. */
const invoicePaid = z.object({
  kind: z.literal("invoice-paid"),
  invoiceId: id,
  subscriptionId: id,
  orderId: id,
  /** The PaymentIntent, where the event names it; refunds and disputes do. */
  intentId: id.nullable(),
  amount: sum,
  currency,
  /** What the invoice charges for: a plan is changed at the provider's pages. */
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

/** Which PaymentIntent has paid an invoice: the events of both may come in any order. */
const invoiceIntent = z.object({ kind: z.literal("invoice-intent"), invoiceId: id, intentId: id });

const subscriptionChanged = z.object({
  kind: z.literal("subscription-changed"),
  subscriptionId: id,
  orderId: id,
  /** The provider's word: `active`, `past_due`, `canceled` … */
  status: z.string().max(100),
  /** When it ends, where that is settled. */
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

/** An event whose signature was verified. */
export interface BillingEvent {
  readonly eventId: string;
  /** The provider's name of it, as `charge.refunded`. */
  readonly type: string;
  /** When the provider made it, in seconds of its clock. Several may be of one second. */
  readonly occurredAt: number;
  readonly fact: BillingFact;
  /** The workspace that its metadata name, where they do. */
  readonly workspaceId?: string;
}

/** An event of one kind. */
export type EventOf<Kind extends BillingFact["kind"]> = BillingEvent & { readonly fact: FactOf<Kind> };

/** What a fact is about: the payment, or the plan's subscription. Later facts of the same are found by it. */
export function objectIdOf(fact: BillingFact): string {
  if ("paymentId" in fact) return fact.paymentId;
  return fact.kind === "invoice-intent" ? fact.invoiceId : fact.subscriptionId;
}
