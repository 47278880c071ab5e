import { type Refusal, refuse } from "#api/errors.ts";
import { toTimestamp } from "#platform/clock.ts";
import { nextUtcDayMs, nextUtcMonthMs } from "#platform/utc-day.ts";

/** Budgets of API keys: the credits that a key may spend, from any payment source. Pure rules. */

/** Credits per UTC day and per UTC calendar month; null for no limit. */
export interface BudgetLimits {
  readonly dailyBudget: number | null;
  readonly monthlyBudget: number | null;
}

/** A budget and its spending, net of refunds. A refund counts on the day of its job. */
export interface KeyBudget extends BudgetLimits {
  readonly spentToday: number;
  readonly spentThisMonth: number;
}

/** A budget as of the next order. */
export interface BudgetAtOrder extends KeyBudget {
  /**
   * Creation time of that order, in Unix milliseconds. `spentToday` and `spentThisMonth` are of its UTC day and month.
   */
  readonly orderedAtMs: number;
}

export const NO_BUDGET: KeyBudget = {
  dailyBudget: null,
  monthlyBudget: null,
  spentToday: 0,
  spentThisMonth: 0,
};

/** The limits of an API request; null and absent ones are unlimited. */
export const budgetLimitsOf = (
  budget: { readonly daily?: number | null | undefined; readonly monthly?: number | null | undefined } | null,
): BudgetLimits => ({ dailyBudget: budget?.daily ?? null, monthlyBudget: budget?.monthly ?? null });

/** Zero when the limit was lowered below the spending. */
const leftOf = (limit: number | null, spent: number): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - spent);

const leftToday = ({ dailyBudget, spentToday }: KeyBudget): number => leftOf(dailyBudget, spentToday);

const leftThisMonth = ({ monthlyBudget, spentThisMonth }: KeyBudget): number =>
  leftOf(monthlyBudget, spentThisMonth);

/**
 * 402 BUDGET_EXHAUSTED when a key's budget does not cover a cost, with the credits left and the time at which the day
 * or month resets. Null when it does, or when the key has no budget.
 */
export function findBudgetRefusal(budget: BudgetAtOrder | null, cost: number): Refusal | null {
  if (budget === null) return null;
  const available = Math.min(leftToday(budget), leftThisMonth(budget));
  if (available >= cost) return null;
  const isMonthOver = leftThisMonth(budget) < cost;
  const resetsAtMs = isMonthOver ? nextUtcMonthMs(budget.orderedAtMs) : nextUtcDayMs(budget.orderedAtMs);
  return refuse(
    "BUDGET_EXHAUSTED",
    `The job costs ${cost} credits and the key may spend ${available} more ${isMonthOver ? "this month" : "today"}.`,
    { required: cost, available, resetsAt: toTimestamp(resetsAtMs) },
  );
}
