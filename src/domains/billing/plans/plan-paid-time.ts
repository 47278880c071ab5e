import { withPayTime } from "#domains/ledger/plan.ts";
import {
  assertPlanUnchanged,
  planAsRead,
  planByProvider,
  type StoredPlan,
  updatePlan,
} from "#domains/ledger/plan-store.ts";
import { latest } from "#platform/db/reader.ts";
import type { Payment } from "../payments/payment-effects.ts";
import { isMoneyKept } from "./plan-effects.ts";
import { planOfPayment } from "./plan-store.ts";

/** What a payment that was taken back does to the plan that it paid. */

/** A row of `subscriptions` as a plan; null for one that an operator granted. */
export function toPlan(row: ReturnType<typeof planByProvider.row>): StoredPlan | null {
  if (row === null || row.paysUntil === null || row.providerSubscriptionId === null) return null;
  return { ...row, paysUntil: row.paysUntil, providerSubscriptionId: row.providerSubscriptionId };
}

/**
 * Lets the period that a payment has paid pay no more once all of its money went back, and again when that is undone. For
 * the batch that writes the payment.
 */
export async function planTimeStatements(
  db: D1Database,
  payment: Payment,
): Promise<readonly D1PreparedStatement[]> {
  const session = latest(db);
  const paid = await planOfPayment.first(session, payment);
  const providerSubscriptionId = paid?.providerSubscriptionId ?? "";
  const plan = toPlan(await planByProvider.first(session, { providerSubscriptionId }));
  if (plan === null || plan.periodStart !== paid?.periodStart) return [];
  return [
    assertPlanUnchanged.bind(db, { providerSubscriptionId, asRead: planAsRead(plan) }),
    updatePlan.bind(db, { ...plan, ...withPayTime(plan, isMoneyKept(payment)) }),
  ];
}
