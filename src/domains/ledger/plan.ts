import { pick } from "#platform/pick-members.ts";

/** Plans that were bought: which period is open, and until when it pays. Pure rules; times are Unix ms. */

/**
 * A renewal is charged about an hour after its period has begun, and a declined card is tried again for days. Meanwhile
 * what is left of the old period's quota may still be used: nothing is granted for it.
 */
export const PLAN_GRACE_MS = 3 * 86_400_000;

/** A plan as it is stored, without how much of its quota is used. */
export interface Plan {
  /** Active until it is known to be over: one that ended early keeps what was paid for. */
  readonly status: "active" | "canceled";
  /** The offer that it renews as. */
  readonly planId: string | null;
  /** Credits of the period that is open. */
  readonly quotaLimit: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  /** When it ends, where its owner has cancelled it for then. */
  readonly cancelAt: number | null;
  /** When it ended at the provider, for good. */
  readonly endedAt: number | null;
  /** When the open period stops paying. */
  readonly paysUntil: number;
}

/** A period as an invoice has paid it. */
export interface PaidPeriod {
  readonly planId: string;
  readonly quota: number;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * When a period stops paying: at its end where nothing more is to be paid, else `PLAN_GRACE_MS` later. One whose money
 * went back pays for nothing (0).
 */
function paysUntil(plan: Omit<Plan, "paysUntil">, isMoneyKept: boolean): number {
  if (!isMoneyKept) return 0;
  const isLast = plan.endedAt !== null || (plan.cancelAt !== null && plan.cancelAt <= plan.periodEnd);
  return isLast ? plan.periodEnd : plan.periodEnd + PLAN_GRACE_MS;
}

/** The plan with its last moment worked out anew, once it is known whether the open period's money is still ours. */
export const withPayTime = (plan: Omit<Plan, "paysUntil">, isMoneyKept: boolean): Plan => ({
  ...plan,
  paysUntil: paysUntil(plan, isMoneyKept),
});

/** A plan whose first invoice was paid. */
export const firstPeriod = (paid: PaidPeriod): Plan =>
  withPayTime(
    {
      status: "active",
      planId: paid.planId,
      quotaLimit: paid.quota,
      periodStart: paid.startMs,
      periodEnd: paid.endMs,
      cancelAt: null,
      endedAt: null,
    },
    true,
  );

/**
 * The plan after an invoice was paid. A later period opens; a payment within the open period may raise its quota and
 * never lowers it, because what was paid for is kept; an earlier period stays closed, so that neither a repetition nor
 * an invoice that is told of late grants anything twice.
 */
export function afterPaid(plan: Plan, paid: PaidPeriod): Plan {
  if (paid.startMs > plan.periodStart && paid.endMs > plan.periodEnd) {
    const next = { ...firstPeriod(paid), ...pick(plan, "cancelAt", "endedAt") };
    return withPayTime(next, true);
  }
  if (paid.endMs !== plan.periodEnd) return plan;
  return { ...plan, quotaLimit: Math.max(plan.quotaLimit, paid.quota) };
}

/** True when another plan may take this one's place: it is over at the provider, or was not paid for in time. */
export const isReplaceable = (
  { endedAt, paysUntil: until }: Pick<Plan, "endedAt" | "paysUntil">,
  nowMs: number,
): boolean => endedAt !== null || until <= nowMs;
