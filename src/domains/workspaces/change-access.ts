import { accept, type Outcome, refuse } from "#api/errors.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { assertNoPlan } from "../ledger/plan-store.ts";
import {
  endSubscription,
  insertSubscription,
  newSubscription,
  type SubscriptionTerms,
  setUnlimitedAccess,
} from "./store.ts";

/** A workspace's new means of payment, besides its unchanged credits. */
export type ChangedAccess =
  | { readonly kind: "credits" }
  | ({ readonly kind: "subscription" } & SubscriptionTerms)
  | { readonly kind: "unlimited" };

/**
 * Changes a workspace's access in one batch. A new subscription starts with a full quota and its own period; refunds of
 * running jobs go to the old subscription. For operators. Refuses with PLAN_ACTIVE while the workspace has a bought
 * plan, for which it would still be charged.
 */
export async function changeAccess(
  db: D1Database,
  workspaceId: string,
  access: ChangedAccess,
  nowMs: number,
): Promise<Outcome<void>> {
  const statements = [
    assertNoPlan.bind(db, { workspaceId, nowMs }),
    setUnlimitedAccess.bind(db, { workspaceId, hasUnlimitedAccess: access.kind === "unlimited" }),
    endSubscription.bind(db, { workspaceId }),
  ];
  if (access.kind === "subscription") {
    statements.push(insertSubscription.bind(db, newSubscription(workspaceId, access, nowMs)));
  }
  try {
    await db.batch(statements);
    return accept(undefined);
  } catch (thrown) {
    if (!isGuardViolation(thrown, "payment_unchanged")) throw thrown;
    return refuse(
      "PLAN_ACTIVE",
      "The workspace has a plan that it bought. Cancel that at the payment provider first; then its access can be changed.",
    );
  }
}
