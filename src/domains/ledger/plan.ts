import { pick } from "#platform/pick-members.ts";

/** Bought plans: which period is open, and until when it pays for jobs. Pure rules; times are Unix ms. */

/**
 * A renewal is charged about an hour after its period began, and a declined card is retried for days. During the grace
 * period the old period's remaining quota may be used; nothing new is granted.
 */
export const PLAN_GRACE_MS = 3 * 86_400_000;

/** A plan as stored, without its used quota. */
export interface Plan {
  /** Active until the plan is known to be over. A plan that ended early stays active for its paid period. */
  readonly status: "active" | "canceled";
  /** The offer that the open period's first invoice charged. */
  readonly planId: string | null;
  /** Credits of the open period. */
  readonly quotaLimit: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  /** The plan's scheduled end; null if none is scheduled. */
  readonly cancelAt: number | null;
  /** The plan's final end at the provider; null until then. */
  readonly endedAt: number | null;
  /** The open period pays for jobs until this time. */
  readonly paysUntil: number;
}

/** A period paid for by an invoice. */
export interface PaidPeriod {
  readonly planId: string;
  readonly quota: number;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The time until which a period pays for jobs: its end if no further payment is due, otherwise `PLAN_GRACE_MS` later. 0
 * if its payment was fully refunded or disputed.
 */
function paysUntil(plan: Omit<Plan, "paysUntil">, isMoneyKept: boolean): number {
  if (!isMoneyKept) return 0;
  const isLast = plan.endedAt !== null || (plan.cancelAt !== null && plan.cancelAt <= plan.periodEnd);
  return isLast ? plan.periodEnd : plan.periodEnd + PLAN_GRACE_MS;
}

/**
 * The plan with `paysUntil` recomputed, once it is known whether the open period's payment was fully refunded or
 * disputed.
 */
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
 * The plan after an invoice was paid. A later period opens. A payment within the open period may raise its quota but
 * never lowers it. An earlier period stays closed, so that repeated or late invoices grant nothing twice.
 */
export function afterPaid(plan: Plan, paid: PaidPeriod): Plan {
  if (paid.startMs > plan.periodStart && paid.endMs > plan.periodEnd) {
    const next = { ...firstPeriod(paid), ...pick(plan, "cancelAt", "endedAt") };
    return withPayTime(next, true);
  }
  if (paid.endMs !== plan.periodEnd) return plan;
  return { ...plan, quotaLimit: Math.max(plan.quotaLimit, paid.quota) };
}

/** True when another plan may replace this one, because this one ended at the provider or was not paid in time. */
export const isReplaceable = (
  { endedAt, paysUntil: until }: Pick<Plan, "endedAt" | "paysUntil">,
  nowMs: number,
): boolean => endedAt !== null || until <= nowMs;
