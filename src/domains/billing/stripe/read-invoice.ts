import { z } from "zod";
import type { Offer } from "#platform/bindings/offers.ts";
import { integer, metadata, orderIdOf, type Reader, reference, text } from "./stripe-objects.ts";

/** Facts of invoices and subscriptions. */

export const invoice = z.object({
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

/** The plan whose offer has this price. */
function planOfPrice(priceId: string | undefined, offers: readonly Offer[]) {
  const offer = offers.find((each) => each.kind === "plan" && each.priceId === priceId);
  return offer?.kind === "plan" ? { offerId: offer.offerId, quota: offer.quota } : null;
}

/** The subscription and order that an invoice names; null if the invoice is not for one of our plans. */
function planOf({ parent }: z.infer<typeof invoice>) {
  const details = parent?.subscription_details;
  const orderId = orderIdOf(details?.metadata);
  return details == null || orderId === null ? null : { subscriptionId: details.subscription, orderId };
}

export const readPaidInvoice: Reader = (object, offers) => {
  const found = invoice.parse(object);
  const plan = planOf(found);
  // The invoice's own period is the previous one; the line has the paid period. A change of plan has two lines: the
  // refund of the old price and the new price.
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

export const readFailedInvoice: Reader = (object) => {
  const found = invoice.parse(object);
  const plan = planOf(found);
  return plan === null ? null : { kind: "invoice-failed", invoiceId: found.id, ...plan };
};

const invoicePayment = z.object({
  invoice: reference,
  payment: z.object({ payment_intent: reference.nullish() }),
});

/** docs.stripe.com/api/invoice-payment/object: an invoice paid by other means has no PaymentIntent. */
export const readInvoicePayment: Reader = (object) => {
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

export const readSubscription: Reader = (object) => {
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
