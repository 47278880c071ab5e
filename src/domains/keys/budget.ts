import { type Refusal, refuse } from "#api/errors.ts";
import { toTimestamp } from "#platform/clock.ts";
import { nextUtcDayMs, nextUtcMonthMs } from "#platform/utc-day.ts";

/** Budgets of API keys: the credits that a key may spend, whatever pays for them. Pure rules. */

/** Credits in a day and in a calendar month, in UTC; null for as many as there are. */
export interface BudgetLimits {
  readonly dailyBudget: number | null;
  readonly monthlyBudget: number | null;
}

/** With what was spent of it: what was given back has not been. A refund counts on the day of its job. */
export interface KeyBudget extends BudgetLimits {
  readonly spentToday: number;
  readonly spentThisMonth: number;
}

/** As an order would find it. */
export interface BudgetAtOrder extends KeyBudget {
  /** When the order would be made, by which its day and month are chosen. Unix milliseconds. */
  readonly orderedAtMs: number;
}

export const NO_BUDGET: KeyBudget = {
  dailyBudget: null,
  monthlyBudget: null,
  spentToday: 0,
  spentThisMonth: 0,
};

/** The limits that the interface names; null and absent ones are none. */
export const budgetLimitsOf = (
  budget: { readonly daily?: number | null | undefined; readonly monthly?: number | null | undefined } | null,
): BudgetLimits => ({ dailyBudget: budget?.daily ?? null, monthlyBudget: budget?.monthly ?? null });

/** What is left of a limit that was lowered below what was spent is nothing. */
const leftOf = (limit: number | null, spent: number): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - spent);

const leftToday = ({ dailyBudget, spentToday }: KeyBudget): number => leftOf(dailyBudget, spentToday);

const leftThisMonth = ({ monthlyBudget, spentThisMonth }: KeyBudget): number =>
  leftOf(monthlyBudget, spentThisMonth);

/**
 * 402 BUDGET_EXHAUSTED for a cost that a key's budget does not cover: how much it does, and when its day or month begins
 * anew. Null where it covers the cost, or there is none.
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
