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

/** Bought plans in the ledger. */

/** Writes a plan with a paid first period; returns the provider's subscription id. */
export async function insertBoughtPlan(workspaceId: string, paid: PaidPeriod): Promise<string> {
  const providerSubscriptionId = `sub_${newId()}`;
  const place = { subscriptionId: newId(), workspaceId, providerSubscriptionId, providerEvent: null };
  await insertPlan.run(anyDatabase(), { ...firstPeriod(paid), ...place, nowMs: paid.startMs });
  return providerSubscriptionId;
}

/** Reads a bought plan; throws if it does not exist. */
export async function readPlan(
  providerSubscriptionId: string,
): Promise<StoredPlan & { readonly quotaUsed: number }> {
  const row = await planByProvider.first(anyDatabase(), { providerSubscriptionId });
  if (row === null || row.paysUntil === null) throw new Error("no such plan");
  return { ...row, paysUntil: row.paysUntil, providerSubscriptionId };
}

/** Changes a plan as an event does, in a batch that fails if the plan has changed since it was read. */
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
