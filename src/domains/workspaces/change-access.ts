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

/** What a workspace is to pay with from now on, besides its credits, which stay as they are. */
export type ChangedAccess =
  | { readonly kind: "credits" }
  | ({ readonly kind: "subscription" } & SubscriptionTerms)
  | { readonly kind: "unlimited" };

/**
 * Changes what a workspace pays with, in one batch. A subscription ends and another begins with a whole quota and a
 * period of its own; what jobs under way took from the ended one goes back to that one. For operators. Refuses with
 * PLAN_ACTIVE while the workspace has a plan that it bought: it would be charged for what it no longer has.
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
