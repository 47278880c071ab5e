import { firstPeriod, type PaidPeriod } from "#domains/ledger/plan.ts";
import {
  assertPlanUnchanged,
  insertPlan,
  planAsRead,
  planByProvider,
  type StoredPlan,
  updatePlan,
} from "#domains/ledger/plan-store.ts";
import { newId } from "#platform/ids.ts";
import { anyDatabase } from "./homes.ts";

/** Plans that were bought, as the ledger keeps them. */

/** Writes a plan whose first period is paid; returns its subscription at the provider. */
export async function insertBoughtPlan(workspaceId: string, paid: PaidPeriod): Promise<string> {
  const providerSubscriptionId = `sub_${newId()}`;
  const place = { subscriptionId: newId(), workspaceId, providerSubscriptionId, providerEvent: null };
  await insertPlan.run(anyDatabase(), { ...firstPeriod(paid), ...place, nowMs: paid.startMs });
  return providerSubscriptionId;
}

/** The plan, which must be there and bought. */
export async function readPlan(
  providerSubscriptionId: string,
): Promise<StoredPlan & { readonly quotaUsed: number }> {
  const row = await planByProvider.first(anyDatabase(), { providerSubscriptionId });
  if (row === null || row.paysUntil === null) throw new Error("no such plan");
  return { ...row, paysUntil: row.paysUntil, providerSubscriptionId };
}

/** Changes a plan as an event would, in a batch that fails when it is not as it was read. */
export async function changePlan(
  providerSubscriptionId: string,
  change: (plan: StoredPlan) => StoredPlan,
): Promise<void> {
  const plan = await readPlan(providerSubscriptionId);
  await anyDatabase().batch([
    assertPlanUnchanged.bind(anyDatabase(), { providerSubscriptionId, asRead: planAsRead(plan) }),
    updatePlan.bind(anyDatabase(), change(plan)),
  ]);
}
