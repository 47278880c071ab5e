import { type Period, periodAt } from "../ledger/period.ts";
import { newId } from "../platform/ids.ts";
import { endSubscription, insertSubscription, setUnlimitedAccess } from "./store.ts";

/** What a workspace is to pay with from now on, besides its credits, which stay as they are. */
export type ChangedAccess =
  | { readonly kind: "credits" }
  | { readonly kind: "subscription"; readonly quotaLimit: number; readonly period: Period }
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
    const span = periodAt(access.period, nowMs, nowMs);
    statements.push(
      insertSubscription.bind(db, {
        subscriptionId: newId(),
        workspaceId,
        period: access.period,
        quotaLimit: access.quotaLimit,
        periodStart: span.startMs,
        periodEnd: span.endMs,
        createdAt: nowMs,
      }),
    );
  }
  await db.batch(statements);
}
