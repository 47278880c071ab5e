import { and, eq, ne, sql } from "drizzle-orm";
import { guard } from "#platform/db/batch-guard.ts";
import { payments, subscriptions } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { PAYMENT, type Payment } from "../payments/payment-store.ts";

/** Payments of a plan, each with its paid period. */
export const planPayments = statement(
  (given: Given<{ workspaceId: string | null; providerSubscriptionId: string }>) =>
    query
      .from(payments, ...PAYMENT, "periodStart", "intentId")
      .where(
        and(
          eq(payments.workspaceId, given.workspaceId),
          eq(payments.providerSubscriptionId, given.providerSubscriptionId),
        ),
      ),
);

export type PlanPayment = RowOf<typeof planPayments>;

interface PlanPaymentRow extends Payment {
  readonly intentId: string | null;
  readonly providerSubscriptionId: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly nowMs: number;
}

export const insertPlanPayment = statement((given: Given<PlanPaymentRow>) =>
  query.insert(payments).values({
    ...pick(given, ...PAYMENT, "intentId", "providerSubscriptionId", "periodStart", "periodEnd"),
    createdAt: given.nowMs,
  }),
);

/** Records the PaymentIntent that paid an invoice. */
export const setIntent = statement((given: Given<{ paymentId: string; intentId: string }>) =>
  query.update(payments).set({ intentId: given.intentId }).where(eq(payments.paymentId, given.paymentId)),
);

/** The latest paid period of a workspace's other plans. */
export const latestOtherPeriod = statement(
  (given: Given<{ workspaceId: string | null; providerSubscriptionId: string }>) =>
    query
      .read(payments, { startMs: sql<number | null>`max(${payments.periodStart})` })
      .where(
        and(
          eq(payments.workspaceId, given.workspaceId),
          ne(payments.providerSubscriptionId, given.providerSubscriptionId),
        ),
      ),
);

interface ActivePlanRead {
  readonly workspaceId: string | null;
  readonly subscriptionId: string | null;
  readonly providerSubscriptionId: string;
  readonly latestOther: number | null;
}

/**
 * Fails its batch unless the workspace's active subscription and its other plans' latest period are unchanged since
 * they were read.
 */
export const assertActivePlanUnchanged = statement((given: Given<ActivePlanRead>) =>
  guard(
    "payment_unchanged",
    sql`(select ${subscriptions.subscriptionId} from ${subscriptions}
        where ${subscriptions.workspaceId} = ${given.workspaceId} and ${subscriptions.status} = 'active')
        is ${given.subscriptionId}
      and (select max(${payments.periodStart}) from ${payments} where ${payments.workspaceId} = ${given.workspaceId}
        and ${payments.providerSubscriptionId} <> ${given.providerSubscriptionId}) is ${given.latestOther}`,
  ),
);
