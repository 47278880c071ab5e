import { and, eq, sql } from "drizzle-orm";
import { guard } from "../db/guard.ts";
import { query } from "../db/query.ts";
import { payments, subscriptions } from "../db/schema/index.ts";
import { type Given, type RowOf, statement } from "../db/statement.ts";
import { pick } from "../platform/pick.ts";
import type { Payment } from "./payment-effects.ts";

/** SQL of payments of plans. */

/** Payments of a plan, each with the period that it paid. */
export const planPayments = statement(
  (given: Given<{ workspaceId: string; providerSubscriptionId: string }>) =>
    query
      .select({
        ...pick(payments, "paymentId", "workspaceId", "kind", "offerId", "currency", "amount", "credits"),
        ...pick(payments, "amountRefunded", "amountDisputed", "creditsHeld", "creditsOwed", "dispute"),
        ...pick(payments, "revision", "paidAt", "receiptUrl", "periodStart", "intentId"),
      })
      .from(payments)
      .where(
        and(
          eq(payments.workspaceId, given.workspaceId),
          eq(payments.providerSubscriptionId, given.providerSubscriptionId),
        ),
      ),
);

export type PlanPayment = RowOf<typeof planPayments>;

/** Which plan and period a payment is for. */
export const planOfPayment = statement((given: Given<{ paymentId: string }>) =>
  query
    .select(pick(payments, "providerSubscriptionId", "periodStart"))
    .from(payments)
    .where(eq(payments.paymentId, given.paymentId)),
);

interface PlanPaymentRow extends Payment {
  readonly intentId: string | null;
  readonly providerSubscriptionId: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly nowMs: number;
}

export const insertPlanPayment = statement((given: Given<PlanPaymentRow>) =>
  query.insert(payments).values({
    ...pick(given, "paymentId", "workspaceId", "kind", "offerId", "currency", "amount", "credits"),
    ...pick(given, "amountRefunded", "amountDisputed", "creditsHeld", "creditsOwed", "dispute"),
    ...pick(given, "revision", "paidAt", "receiptUrl"),
    ...pick(given, "intentId", "providerSubscriptionId", "periodStart", "periodEnd"),
    createdAt: given.nowMs,
  }),
);

/** Notes which PaymentIntent has paid an invoice. */
export const setIntent = statement((given: Given<{ paymentId: string; intentId: string }>) =>
  query.update(payments).set({ intentId: given.intentId }).where(eq(payments.paymentId, given.paymentId)),
);

/** Fails its batch unless the workspace's subscription is the one that was read; null: none. */
export const assertPlaceUnchanged = statement(
  (given: Given<{ workspaceId: string; subscriptionId: string | null }>) =>
    guard(
      "payment_unchanged",
      sql`(select ${subscriptions.subscriptionId} from ${subscriptions}
        where ${subscriptions.workspaceId} = ${given.workspaceId} and ${subscriptions.status} = 'active')
        is ${given.subscriptionId}`,
    ),
);
