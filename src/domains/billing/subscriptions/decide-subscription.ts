import { restoreLaterPlan, type StoredPlan, updatePlan } from "#domains/ledger/plan-store.ts";
import type { EventOf } from "../events/billing-event.ts";
import { type Decision, without } from "../events/event-store.ts";
import { type FoldedPlan, foldPlan } from "./subscription-effects.ts";
import {
  activePlanUnchanged,
  isPeriodMoneyKept,
  type PlanState,
  readPlanState,
  unchangedStatements,
} from "./subscription-state.ts";

/** The effects of an event that changes or ends a subscription. */
export async function decideSubscription(
  db: D1Database,
  event: EventOf<"subscription-changed">,
): Promise<Decision> {
  const state = await readPlanState(db, event);
  const { order, plan, workspace } = state;
  const workspaceId = workspace?.workspaceId ?? null;
  if (order === null) return without("refused", "ORDER_UNKNOWN");
  const folded = foldPlan([...state.events, event], order, isPeriodMoneyKept(state.payments));
  const unchanged = unchangedStatements(db, state);
  if (folded === null || plan === null) {
    return { outcome: "waiting", statements: unchanged, reason: null, workspaceId };
  }
  const changed = updatedFrom(plan, folded);
  const written = hasLaterPlan(state, changed)
    ? activateLaterStatements(db, changed)
    : [updatePlan.bind(db, changed)];
  const statements = [...unchanged, activePlanUnchanged(db, state), ...written];
  return { outcome: "applied", statements, reason: null, workspaceId };
}

/** Whether an ended plan is still stored as active although another plan has a later period. */
const hasLaterPlan = ({ plan, latestOther }: PlanState, { endedAt, periodStart }: StoredPlan): boolean =>
  plan?.status === "active" && endedAt !== null && latestOther !== null && latestOther > periodStart;

/** Activates the later plan, which was stored as canceled while this one seemed alive. */
const activateLaterStatements = (db: D1Database, plan: StoredPlan): readonly D1PreparedStatement[] => [
  updatePlan.bind(db, { ...plan, status: "canceled" }),
  restoreLaterPlan.bind(db, plan),
];

/** A stored plan updated from its events. A replaced plan becomes active again only by a paid invoice. */
const updatedFrom = (stored: StoredPlan, { plan, providerEvent }: FoldedPlan): StoredPlan => ({
  ...stored,
  ...plan,
  status: stored.status === "canceled" ? "canceled" : plan.status,
  providerEvent,
});
