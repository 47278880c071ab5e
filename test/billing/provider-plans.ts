import type { PlanOffer } from "#platform/bindings/offers.ts";
import type { Provider } from "./provider.ts";
import { type ProviderPayment, succeed } from "./provider-payments.ts";
import {
  checkoutSession,
  type InvoiceFacts,
  invoice,
  invoicePayment,
  paymentIntent,
  type SubscriptionFacts,
  subscription,
} from "./stripe-objects.ts";

/** A simulated month, in seconds. */
const PERIOD_S = 30 * 86_400;

interface MadeInvoice extends InvoiceFacts {
  readonly offer: PlanOffer;
  /** Null until the invoice is paid. */
  paidAt: number | null;
  attempts: number;
  readonly payment: ProviderPayment;
}

/** A subscription at the provider. */
export interface ProviderPlan {
  readonly workspaceId: string;
  facts: SubscriptionFacts;
  offer: PlanOffer;
  readonly invoices: MadeInvoice[];
}

const change = (plan: ProviderPlan, facts: Partial<SubscriptionFacts>): void => {
  plan.facts = { ...plan.facts, ...facts };
};

const emitSubscription = (
  provider: Provider,
  plan: ProviderPlan,
  what: "created" | "updated" | "deleted",
): void => provider.emit(`customer.subscription.${what}`, subscription(plan.facts));

function newInvoice(
  provider: Provider,
  plan: ProviderPlan,
  reason: InvoiceFacts["reason"],
  start: number,
): MadeInvoice {
  const { offer, workspaceId } = plan;
  const id = plan.invoices.length === 0 ? plan.facts.latestInvoiceId : provider.newId("in");
  const payment: ProviderPayment = {
    intent: {
      id: provider.newId("pi"),
      chargeId: provider.newId("ch"),
      customerId: plan.facts.customerId,
      amount: offer.amount,
      currency: offer.currency,
      created: provider.now,
      metadata: {},
    },
    kind: "plan",
    workspaceId,
    credits: 0,
    invoiceId: id,
    status: "processing",
    refunds: [],
    disputes: [],
  };
  const { priceId, amount } = offer;
  const end = start + PERIOD_S;
  const facts = { id, amount, created: provider.now, reason, priceId, start, end };
  const made: MadeInvoice = { ...facts, offer, paidAt: null, attempts: 0, payment };
  plan.invoices.push(made);
  return made;
}

function payInvoice(provider: Provider, plan: ProviderPlan, made: MadeInvoice): void {
  made.attempts += 1;
  made.paidAt = provider.now;
  succeed(provider, made.payment);
  provider.emit("invoice_payment.paid", invoicePayment(made, made.payment.intent, provider.now));
  for (const type of ["invoice.paid", "invoice.payment_succeeded"]) {
    provider.emit(type, invoice(made, plan.facts, made.paidAt, made.attempts));
  }
}

function failInvoice(provider: Provider, plan: ProviderPlan, made: MadeInvoice): void {
  made.attempts += 1;
  provider.emit(
    "payment_intent.payment_failed",
    paymentIntent(made.payment.intent, "requires_payment_method"),
  );
  provider.emit("invoice.payment_failed", invoice(made, plan.facts, null, made.attempts));
}

/** A user buys a plan in Checkout: its subscription exists before it is paid. */
export function subscribe(provider: Provider, workspaceId: string, offer: PlanOffer): ProviderPlan {
  const metadata = provider.order(workspaceId, "plan", offer);
  const start = provider.now;
  const plan: ProviderPlan = {
    workspaceId,
    offer,
    invoices: [],
    facts: {
      id: provider.newId("sub"),
      itemId: provider.newId("si"),
      customerId: provider.customerOf(workspaceId),
      created: start,
      currency: offer.currency,
      metadata,
      priceId: offer.priceId,
      periodStart: start,
      periodEnd: start + PERIOD_S,
      cancelAt: null,
      endedAt: null,
      status: "incomplete",
      latestInvoiceId: provider.newId("in"),
    },
  };
  emitSubscription(provider, plan, "created");
  const first = newInvoice(provider, plan, "subscription_create", start);
  payInvoice(provider, plan, first);
  change(plan, { status: "active" });
  emitSubscription(provider, plan, "updated");
  const session = {
    id: provider.newId("cs_test"),
    customerId: plan.facts.customerId,
    workspaceId,
    amount: offer.amount,
    currency: offer.currency,
    created: start,
    metadata,
    made: { mode: "subscription" as const, subscription: plan.facts.id, invoice: first.id },
  };
  provider.emit("checkout.session.completed", checkoutSession(session, "paid"));
  return plan;
}

export const isEnded = ({ facts }: ProviderPlan): boolean => facts.status === "canceled";

/** Ends the period: bills the next one, paid or not, or ends a canceled plan. */
export function renew(provider: Provider, plan: ProviderPlan, isPaid: boolean): void {
  if (isEnded(plan)) return;
  const start = plan.facts.periodEnd;
  provider.now = Math.max(provider.now, start) + 1;
  if (plan.facts.cancelAt !== null) {
    end(provider, plan);
    return;
  }
  change(plan, { periodStart: start, periodEnd: start + PERIOD_S });
  const made = newInvoice(provider, plan, "subscription_cycle", start);
  change(plan, { latestInvoiceId: made.id });
  emitSubscription(provider, plan, "updated");
  // Stripe leaves an invoice open for an hour before it charges.
  provider.now += 3_600;
  if (isPaid) {
    payInvoice(provider, plan, made);
    return;
  }
  failInvoice(provider, plan, made);
  provider.now += 1;
  change(plan, { status: "past_due" });
  emitSubscription(provider, plan, "updated");
}

/** Retries the oldest unpaid invoice. */
export function tryAgain(provider: Provider, plan: ProviderPlan, isPaid: boolean): void {
  const made = plan.invoices.find(({ paidAt }) => paidAt === null);
  if (made === undefined || isEnded(plan)) return;
  if (isPaid) payInvoice(provider, plan, made);
  else failInvoice(provider, plan, made);
  if (plan.invoices.some(({ paidAt }) => paidAt === null)) return;
  provider.now += 1;
  change(plan, { status: "active" });
  emitSubscription(provider, plan, "updated");
}

/** The owner cancels at the period's end, or undoes that. */
export function setCancel(provider: Provider, plan: ProviderPlan, isCanceling: boolean): void {
  const cancelAt = isCanceling ? plan.facts.periodEnd : null;
  if (isEnded(plan) || plan.facts.cancelAt === cancelAt) return;
  change(plan, { cancelAt });
  emitSubscription(provider, plan, "updated");
}

/** The owner changes the plan from the next period on. */
export function changePlan(provider: Provider, plan: ProviderPlan, offer: PlanOffer): void {
  if (isEnded(plan) || plan.offer.offerId === offer.offerId) return;
  plan.offer = offer;
  change(plan, { priceId: offer.priceId });
  emitSubscription(provider, plan, "updated");
}

/** Ends the plan now: canceled, by an operator, or after failed payments. */
export function end(provider: Provider, plan: ProviderPlan): void {
  if (isEnded(plan)) return;
  change(plan, { status: "canceled", endedAt: provider.now });
  emitSubscription(provider, plan, "deleted");
}

/** The last paid period and its plan; null when none was paid. */
export function paidPeriodOf({ invoices }: ProviderPlan): MadeInvoice | null {
  const paid = invoices.filter(({ paidAt }) => paidAt !== null);
  return paid.toSorted((left, right) => right.start - left.start)[0] ?? null;
}
