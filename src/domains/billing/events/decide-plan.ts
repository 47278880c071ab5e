import { restoreLaterPlan, type StoredPlan, updatePlan } from "#domains/ledger/plan-store.ts";
import { log } from "#platform/log/log.ts";
import type { BillingEvent } from "../billing-event.ts";
import { type FoldedPlan, foldPlan } from "../plans/plan-effects.ts";
import {
  keeps,
  type PlanState,
  placeUnchanged,
  readPlanState,
  type Told,
  unchangedStatements,
} from "../plans/plan-state.ts";
import { orderById } from "../store.ts";
import { decideIntent } from "./decide-intent.ts";
import { decideInvoice } from "./decide-invoice.ts";
import { type Decision, without } from "./decision.ts";

/** Decides an event of a plan by what is stored now. The statements fail their batch where that has changed. */
export async function decidePlan(db: D1Database, event: BillingEvent, nowMs: number): Promise<Decision> {
  const { fact } = event;
  switch (fact.kind) {
    case "invoice-paid":
      return decideInvoice(db, { ...event, fact }, nowMs);
    case "subscription-changed":
      return decideChange(db, { ...event, fact });
    case "invoice-intent":
      return decideIntent(db, fact);
    case "invoice-failed":
      return decideFailure(db, fact.orderId);
    default:
      return without("ignored");
  }
}

async function decideChange(db: D1Database, event: Told<"subscription-changed">): Promise<Decision> {
  const state = await readPlanState(db, event);
  const { order, plan, workspace } = state;
  const workspaceId = workspace?.workspaceId ?? null;
  if (order === null) return without("refused", "ORDER_UNKNOWN");
  const folded = foldPlan([...state.events, event], order, keeps(state.payments));
  const unchanged = unchangedStatements(db, state);
  if (folded === null || plan === null) {
    return { outcome: "waiting", statements: unchanged, reason: null, workspaceId };
  }
  const changed = placed(plan, folded);
  const written = hasLaterPlan(state, changed)
    ? giveWayStatements(db, changed)
    : [updatePlan.bind(db, changed)];
  const statements = [...unchanged, placeUnchanged(db, state), ...written];
  return { outcome: "applied", statements, reason: null, workspaceId };
}

/** Whether a plan that is over still has the place of one whose period began later. */
const hasLaterPlan = ({ plan, latestOther }: PlanState, { endedAt, periodStart }: StoredPlan): boolean =>
  plan?.status === "active" && endedAt !== null && latestOther !== null && latestOther > periodStart;

/** Hands the place to the later plan: it was refused it while this one lived, as far as was known. */
const giveWayStatements = (db: D1Database, plan: StoredPlan): readonly D1PreparedStatement[] => [
  updatePlan.bind(db, { ...plan, status: "canceled" }),
  restoreLaterPlan.bind(db, plan),
];

/** A plan that is there, as its events tell it; one that has lost its place gets it back by a paid invoice alone. */
const placed = (stored: StoredPlan, { plan, providerEvent }: FoldedPlan): StoredPlan => ({
  ...stored,
  ...plan,
  status: stored.status === "canceled" ? "canceled" : plan.status,
  providerEvent,
});

/** Nothing is changed: the provider tries again by itself, and ends the plan when that was of no use. */
async function decideFailure(db: D1Database, orderId: string): Promise<Decision> {
  const order = await orderById.first(db, { orderId });
  if (order !== null) log.failure({ event: "plan_payment_failed", workspaceId: order.workspaceId });
  return without("ignored");
}
