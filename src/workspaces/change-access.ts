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
 * period of its own; what jobs under way took from the ended one goes back to that one. For operators.
 */
export async function changeAccess(
  db: D1Database,
  workspaceId: string,
  access: ChangedAccess,
  nowMs: number,
): Promise<void> {
  const statements = [
    setUnlimitedAccess.bind(db, { workspaceId, hasUnlimitedAccess: access.kind === "unlimited" }),
    endSubscription.bind(db, { workspaceId }),
  ];
  if (access.kind === "subscription") {
    statements.push(insertSubscription.bind(db, newSubscription(workspaceId, access, nowMs)));
  }
  await db.batch(statements);
}
