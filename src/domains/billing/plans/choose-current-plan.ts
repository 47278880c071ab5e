import { isReplaceable, type Plan } from "#domains/ledger/plan.ts";

/** The other plans of a workspace. */
export interface OtherPlans {
  /** The one that has the place now; null for none. */
  readonly active: Plan | null;
  /** When the latest period of any of them begins that was paid, in Unix ms; null where none was. */
  readonly latestPeriodStart: number | null;
}

/**
 * Whether a plan has its workspace's one place, by what is known of all its plans and not by which was told of first. One
 * that lives at the provider takes it from one that is over there; else the one whose period began later has it, where the
 * other is over or was not paid in time. `waits`: the other one lives, as far as is known; it is decided anew when more is
 * told. `gone`: it is over, and another one came after it.
 */
export function placeOf(
  plan: Plan,
  { active, latestPeriodStart }: OtherPlans,
  nowMs: number,
): "has" | "waits" | "gone" {
  const isOver = plan.endedAt !== null;
  if (active === null) {
    return isOver && latestPeriodStart !== null && latestPeriodStart > plan.periodStart ? "gone" : "has";
  }
  const outlives = active.endedAt !== null && !isOver;
  const isLater = plan.periodStart > active.periodStart;
  if (outlives || (isLater && isReplaceable(active, nowMs))) return "has";
  return isOver ? "gone" : "waits";
}
