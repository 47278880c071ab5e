import { isReplaceable } from "../ledger/plan.ts";
import { insertPlan, replacePlan, updatePlan } from "../ledger/plan-store.ts";
import { newId } from "../platform/ids.ts";
import type { BillingEvent } from "./billing-event.ts";
import { receiptStatements } from "./decide-payment.ts";
import type { Decision } from "./decision.ts";
import type { Order, Payment } from "./payment-effects.ts";
import { figuresOf } from "./payment-figures.ts";
import { type FoldedPlan, foldPlan } from "./plan-effects.ts";
import { keeps, type PlanState, readPlanState, type Told, unchangedStatements } from "./plan-state.ts";
import { assertPlaceUnchanged, insertPlanPayment } from "./plan-store.ts";
import { toPlan } from "./plan-time.ts";
import { applyWaitingEvents, assertEventsUnchanged, assertPaymentUnchanged } from "./store.ts";

/** A paid invoice: its payment, and the period that it opens. */

/** Why a paid invoice opens nothing, or null where it may. */
function refusalOf({ order, workspace, active, plan }: PlanState, nowMs: number) {
  if (order === null) return "ORDER_UNKNOWN";
  if (workspace === null || (workspace.expiresAt !== null && workspace.expiresAt <= nowMs))
    return "WORKSPACE_ENDED";
  if (active === null || active.subscriptionId === plan?.subscriptionId) return null;
  const other = toPlan(active);
  return other !== null && isReplaceable(other, nowMs) ? null : "PLAN_ACTIVE";
}

const placeUnchanged = (db: D1Database, { workspace, active }: PlanState): D1PreparedStatement =>
  assertPlaceUnchanged.bind(db, {
    workspaceId: workspace?.workspaceId ?? "",
    subscriptionId: active?.subscriptionId ?? null,
  });

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
  const statements = [
    ...unchangedStatements(db, state),
    assertEventsUnchanged.bind(db, { objectId: invoiceId, count: state.links.length }),
    assertEventsUnchanged.bind(db, { objectId: intentId ?? "", count: state.paymentEvents.length }),
    assertPaymentUnchanged.bind(db, { paymentId: invoiceId, revision: known?.revision ?? null }),
    placeUnchanged(db, state),
    ...(paid === null ? [] : paymentRows(db, event, state, paid, nowMs)),
    ...planStatements(db, state, order, folded, nowMs),
    ...[state.providerSubscriptionId, invoiceId, intentId ?? ""].map((objectId) =>
      applyWaitingEvents.bind(db, { objectId }),
    ),
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

/** Writes the plan, in the place of one that is over. */
function planStatements(
  db: D1Database,
  { plan, active, providerSubscriptionId }: PlanState,
  { workspaceId }: Order,
  folded: FoldedPlan,
  nowMs: number,
): readonly D1PreparedStatement[] {
  const isOwnPlace = active === null || active.subscriptionId === plan?.subscriptionId;
  const replaced = isOwnPlace ? [] : [replacePlan.bind(db, { subscriptionId: active.subscriptionId })];
  const { providerEvent } = folded;
  const place = { workspaceId, providerSubscriptionId, providerEvent };
  return plan === null
    ? [...replaced, insertPlan.bind(db, { ...folded.plan, ...place, subscriptionId: newId(), nowMs })]
    : [...replaced, updatePlan.bind(db, { ...plan, ...folded.plan, ...place })];
}
