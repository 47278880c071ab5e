import type { BillingView, PaymentView } from "#api/schemas/billing.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import type { Offer } from "#platform/bindings/offers.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { latest } from "#platform/db/reader.ts";
import { pick } from "#platform/pick-members.ts";
import { utcMonthOf } from "#platform/utc-day.ts";
import { activeSubscription } from "../ledger/plan-store.ts";
import { billingByWorkspace } from "./overview-store.ts";
import { type ListedPayment, paymentsPage } from "./payments/payment-store.ts";

/** A workspace's billing as its members see it. */

/** Default threshold of the low-balance mail, in credits. Triggers have the same number (migrations/0021). */
const LOW_BALANCE_DEFAULT = 10;

const presentOffer = (offer: Offer) => ({
  ...pick(offer, "offerId", "kind", "currency", "amount"),
  credits: offer.kind === "credits" ? offer.credits : null,
  quota: offer.kind === "plan" ? offer.quota : null,
});

async function readPlan(session: D1DatabaseSession, workspaceId: string, nowMs: number) {
  const plan = await activeSubscription.first(session, { workspaceId });
  if (plan === null || plan.providerSubscriptionId === null || plan.paysUntil === null) return null;
  if (plan.paysUntil <= nowMs) return null;
  return {
    offerId: plan.planId,
    quota: plan.quotaLimit,
    used: plan.quotaUsed,
    periodStart: toTimestamp(plan.periodStart),
    periodEnd: toTimestamp(plan.periodEnd),
    cancelAt: toTimestampOrNull(plan.cancelAt ?? plan.endedAt),
  };
}

/** The workspace's offers, plan, owed credits and rule for automatic purchases. */
export async function readBilling(
  db: D1Database,
  { offers }: BillingService,
  workspaceId: string,
  nowMs: number,
): Promise<BillingView> {
  const session = latest(db);
  const found = await billingByWorkspace.first(session, { workspaceId, month: utcMonthOf(nowMs) });
  if (found === null) throw new Error("a workspace that was entered is not there");
  const { topUp, boughtThisMonth, lowBalanceBelow, ...shown } = found;
  return {
    offers: offers.map(presentOffer),
    ...shown,
    plan: await readPlan(session, workspaceId, nowMs),
    topUp: topUp === null ? null : { ...topUp, boughtThisMonth },
    lowBalanceBelow: lowBalanceBelow ?? LOW_BALANCE_DEFAULT,
  };
}

/** The workspace's payments, newest first; `before` is a payment's id. */
export async function listPayments(
  db: D1Database,
  workspaceId: string,
  limit: number,
  before: string | undefined,
): Promise<Page<ListedPayment, string>> {
  const found = await paymentsPage.all(latest(db), {
    workspaceId,
    before: before ?? null,
    limit: limit + 1,
  });
  return toPage(found, limit, ({ paymentId }) => paymentId);
}

export const presentPayment = (payment: ListedPayment): PaymentView => ({
  ...pick(payment, "paymentId", "kind", "offerId", "amount", "currency", "credits"),
  ...pick(payment, "amountRefunded", "amountDisputed", "creditsOwed", "receiptUrl"),
  paidAt: toTimestamp(payment.paidAt),
  periodStart: toTimestampOrNull(payment.periodStart),
  periodEnd: toTimestampOrNull(payment.periodEnd),
});
