import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import type { Preparer } from "#platform/db/statement.ts";
import type { PaidAccess } from "./payment.ts";
import { periodAt } from "./period.ts";
import {
  accessByWorkspace,
  assertConsumption,
  type Consumption,
  consumptionStatement,
  rollOver,
  type StoredAccess,
} from "./store.ts";

export { accessByWorkspace, insertRefund } from "./store.ts";

/**
 * A workspace's current means of payment. A granted subscription whose period has ended is shown in its new period. A
 * bought plan stays in its paid period. Once that has lapsed, the plan pays for no jobs (`plan.ts`).
 */
export const readPaidAccess = async (
  db: D1Database,
  workspaceId: string,
  nowMs: number,
): Promise<PaidAccess> => toPaidAccess(await accessByWorkspace.first(latest(db), { workspaceId }), nowMs);

/** Like `readPaidAccess`, from a row that was read already. A null row has no means of payment. */
export function toPaidAccess(stored: StoredAccess | null, nowMs: number): PaidAccess {
  if (stored === null) return { hasUnlimitedAccess: false, subscription: null, credits: 0 };
  const { subscription, ...access } = stored;
  if (subscription === null) return { ...access, subscription };
  const { subscriptionId, period, quotaLimit, quotaUsed, periodStart, periodEnd, createdAt, paysUntil } =
    subscription;
  if (paysUntil !== null && nowMs >= paysUntil) return { ...access, subscription: null };
  const known = { subscriptionId, status: "active" as const, quotaLimit };
  if (paysUntil !== null || nowMs < periodEnd) {
    return { ...access, subscription: { ...known, quotaUsed, periodStart, periodEnd } };
  }
  const present = periodAt(period, createdAt, nowMs);
  return {
    ...access,
    subscription: { ...known, quotaUsed: 0, periodStart: present.startMs, periodEnd: present.endMs },
  };
}

/**
 * The statements that pay for a job, first in its batch: open the subscription's new period when due, then write the
 * consumption. The batch fails (`isUncoveredError`) when the payment no longer covers the cost, and also when it
 * inserted no event.
 */
export function consumptionStatements(db: Preparer, consumption: Consumption): D1PreparedStatement[] {
  const { payment } = consumption;
  const consume = consumptionStatement(db, consumption);
  const assertConsumed = assertConsumption.bind(db, { jobId: consumption.jobId });
  return payment.source === "subscription"
    ? [rollOver.bind(db, payment), consume, assertConsumed]
    : [consume, assertConsumed];
}

/** Names of the payment CHECKs in SQLite's error messages. */
const UNCOVERED = ["credits_never_negative", "quota_within_limit"];

/** True when a batch failed because its payment no longer covered the cost; nothing was written. */
export const isUncoveredError = (thrown: unknown): boolean =>
  isGuardViolation(thrown, "payment_unchanged") ||
  (thrown instanceof Error && UNCOVERED.some((text) => thrown.message.includes(text)));
