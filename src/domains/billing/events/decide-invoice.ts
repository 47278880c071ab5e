import { insertPlan, replacePlan, updatePlan } from "#domains/ledger/plan-store.ts";
import { newId } from "#platform/ids.ts";
import type { BillingEvent } from "../billing-event.ts";
import type { Order, Payment } from "../payments/payment-effects.ts";
import { figuresOf } from "../payments/payment-figures.ts";
import { placeOf } from "../plans/choose-current-plan.ts";
import { type FoldedPlan, foldPlan } from "../plans/plan-effects.ts";
import { toPlan } from "../plans/plan-paid-time.ts";
import {
  keeps,
  type PlanState,
  placeUnchanged,
  readPlanState,
  type Told,
  unchangedStatements,
} from "../plans/plan-state.ts";
import { applyWaitingChanges, insertPlanPayment } from "../plans/plan-store.ts";
import { applyWaitingEvents, assertEventsUnchanged, assertPaymentUnchanged } from "../store.ts";
import { receiptStatements } from "./decide-payment.ts";
import type { Decision } from "./decision.ts";

/** A paid invoice: its payment, and the period that it opens. */

/** Why a paid invoice is for nothing, or null where it is for something. */
function refusalOf({ order, workspace }: PlanState, nowMs: number) {
  if (order === null) return "ORDER_UNKNOWN";
  const isEnded = workspace === null || (workspace.expiresAt !== null && workspace.expiresAt <= nowMs);
  return isEnded ? "WORKSPACE_ENDED" : null;
}

const hasOwnPlace = ({ active, plan }: PlanState): boolean =>
  active !== null && active.subscriptionId === plan?.subscriptionId;

/** Whether the plan has its workspace's place; beside what an operator granted it is refused. */
function placeIn(state: PlanState, { plan }: FoldedPlan, nowMs: number) {
  if (hasOwnPlace(state)) return "has";
  const active = toPlan(state.active);
  if (state.active !== null && active === null) return plan.endedAt === null ? "refused" : "gone";
  return placeOf(plan, { active, latestPeriodStart: state.latestOther }, nowMs);
}

/** Decides a paid invoice by what is stored now. The statements fail their batch where that has changed. */
export async function decideInvoice(
  db: D1Database,
  event: Told<"invoice-paid">,
  nowMs: number,
): Promise<Decision> {
  const state = await readPlanState(db, event);
  const { order, workspace, intentId } = state;
  const { invoiceId } = event.fact;
  const refusal = refusalOf(state, nowMs);
  const workspaceId = workspace?.workspaceId ?? null;
  if (refusal !== null || order === null) {
    const statements = [placeUnchanged(db, state)];
    return { outcome: "refused", statements, reason: refusal, workspaceId };
  }
  const known = state.payments.find(({ paymentId }) => paymentId === invoiceId) ?? null;
  const paid = known === null ? paymentOf(event, order, state.paymentEvents) : null;
  const periodStart = event.fact.periodStart * 1_000;
  const payments = paid === null ? state.payments : [...state.payments, { ...paid, periodStart }];
  const folded = foldPlan([...state.events, event], order, keeps(payments));
  if (folded === null) throw new Error("a plan whose invoice is paid has no period");
  const place = placeIn(state, folded, nowMs);
  if (place === "waits" || place === "refused") {
    const outcome = place === "waits" ? "waiting" : "refused";
    const statements = [...unchangedStatements(db, state), placeUnchanged(db, state)];
    return { outcome, statements, reason: "PLAN_ACTIVE", workspaceId };
  }
  const statements = [
    ...unchangedStatements(db, state),
    assertEventsUnchanged.bind(db, { objectId: invoiceId, count: state.links.length }),
    assertEventsUnchanged.bind(db, { objectId: intentId ?? "", count: state.paymentEvents.length }),
    assertPaymentUnchanged.bind(db, { paymentId: invoiceId, revision: known?.revision ?? null }),
    placeUnchanged(db, state),
    ...(paid === null ? [] : paymentRows(db, event, state, paid, nowMs)),
    ...planStatements(db, state, folded, place === "has", nowMs),
    applyWaitingChanges.bind(db, state),
    ...[invoiceId, intentId ?? ""].map((objectId) => applyWaitingEvents.bind(db, { objectId })),
  ];
  return { outcome: "applied", statements, reason: null, workspaceId };
}

/** The payment of an invoice, less what was taken back before it was told of. */
function paymentOf(
  { fact, occurredAt }: Told<"invoice-paid">,
  order: Order,
  events: readonly BillingEvent[],
): Payment {
  const { receiptUrl, ...figures } = figuresOf(fact, events);
  return {
    paymentId: fact.invoiceId,
    workspaceId: order.workspaceId,
    kind: "plan",
    offerId: fact.plan?.offerId ?? order.offerId,
    currency: fact.currency,
    amount: fact.amount,
    credits: 0,
    creditsHeld: 0,
    creditsOwed: 0,
    ...figures,
    revision: 1,
    paidAt: occurredAt * 1_000,
    receiptUrl: receiptUrl ?? fact.receiptUrl,
  };
}

const paymentRows = (
  db: D1Database,
  { fact }: Told<"invoice-paid">,
  { intentId, addresses }: PlanState,
  paid: Payment,
  nowMs: number,
): readonly D1PreparedStatement[] => [
  insertPlanPayment.bind(db, {
    ...paid,
    intentId,
    providerSubscriptionId: fact.subscriptionId,
    periodStart: fact.periodStart * 1_000,
    periodEnd: fact.periodEnd * 1_000,
    nowMs,
  }),
  ...receiptStatements(db, paid, addresses, nowMs),
];

/** Writes the plan. Where it has the place, one that is over gives way; where it has not, it pays for nothing more. */
function planStatements(
  db: D1Database,
  state: PlanState,
  { plan: told, providerEvent }: FoldedPlan,
  hasPlace: boolean,
  nowMs: number,
): readonly D1PreparedStatement[] {
  const { plan, active, providerSubscriptionId, workspace } = state;
  const workspaceId = workspace?.workspaceId ?? "";
  const replaced = hasPlace && active !== null && !hasOwnPlace(state) ? [active] : [];
  const status = hasPlace ? told.status : "canceled";
  const row = { ...told, status, workspaceId, providerSubscriptionId, providerEvent };
  return [
    ...replaced.map(({ subscriptionId }) => replacePlan.bind(db, { subscriptionId })),
    plan === null
      ? insertPlan.bind(db, { ...row, subscriptionId: newId(), nowMs })
      : updatePlan.bind(db, { ...plan, ...row }),
  ];
}
