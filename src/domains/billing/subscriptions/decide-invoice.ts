import { insertPlan, replacePlan, toPlan, updatePlan } from "#domains/ledger/plan-store.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import type { BillingEvent, EventOf, FactOf } from "../events/billing-event.ts";
import {
  applyWaitingChanges,
  applyWaitingEvents,
  assertEventsUnchanged,
  type Decision,
  eventsByObject,
  toBillingEvent,
  without,
} from "../events/event-store.ts";
import { paymentStatements, planTimeStatements, receiptStatements } from "../payments/decide-payment.ts";
import { hasEnded } from "../payments/payment-effects.ts";
import type { Order, Payment } from "../payments/payment-store.ts";
import { assertPaymentUnchanged, orderById, paymentByIntent } from "../payments/payment-store.ts";
import { figuresOf } from "../payments/refunds-and-disputes.ts";
import { decidePlanRole, type FoldedPlan, foldPlan } from "./subscription-effects.ts";
import {
  activePlanUnchanged,
  isPeriodMoneyKept,
  type PlanState,
  readPlanState,
  unchangedStatements,
} from "./subscription-state.ts";
import { insertPlanPayment, setIntent } from "./subscription-store.ts";

/**
 * Decides events about plans' invoices: a paid invoice opens its period, a failed one is logged, and a PaymentIntent is
 * linked to its invoice.
 */

const isActivePlan = ({ active, plan }: PlanState): boolean =>
  active !== null && active.subscriptionId === plan?.subscriptionId;

/**
 * The plan's role among the workspace's plans (`decidePlanRole`). `refused` if an operator granted the workspace a
 * subscription and the plan has not ended.
 */
function roleIn(state: PlanState, { plan }: FoldedPlan, nowMs: number) {
  if (isActivePlan(state)) return "active";
  const active = toPlan(state.active);
  if (state.active !== null && active === null) return plan.endedAt === null ? "refused" : "replaced";
  return decidePlanRole(plan, { active, latestPeriodStart: state.latestOther }, nowMs);
}

/** Decides a paid invoice from the stored state. The statements fail their batch if that state has changed. */
export async function decideInvoice(
  db: D1Database,
  event: EventOf<"invoice-paid">,
  nowMs: number,
): Promise<Decision> {
  const state = await readPlanState(db, event);
  const { order, workspace, intentId } = state;
  const { invoiceId } = event.fact;
  const workspaceId = workspace?.workspaceId ?? null;
  if (order === null || workspaceId === null || hasEnded(workspace, nowMs)) {
    const reason = order === null ? "ORDER_UNKNOWN" : "WORKSPACE_ENDED";
    return { outcome: "refused", statements: [activePlanUnchanged(db, state)], reason, workspaceId };
  }
  const known = state.payments.find(({ paymentId }) => paymentId === invoiceId) ?? null;
  const paid = known === null ? paymentOf(event, order, state.paymentEvents) : null;
  const periodStart = event.fact.periodStart * 1_000;
  const payments = paid === null ? state.payments : [...state.payments, { ...paid, periodStart }];
  const folded = foldPlan([...state.events, event], order, isPeriodMoneyKept(payments));
  if (folded === null) throw new Error("a plan whose invoice is paid has no period");
  const role = roleIn(state, folded, nowMs);
  if (role === "waits" || role === "refused") {
    const outcome = role === "waits" ? "waiting" : "refused";
    const statements = [...unchangedStatements(db, state), activePlanUnchanged(db, state)];
    return { outcome, statements, reason: "PLAN_ACTIVE", workspaceId };
  }
  const statements = [
    ...unchangedStatements(db, state),
    assertEventsUnchanged.bind(db, { objectId: invoiceId, count: state.links.length }),
    assertEventsUnchanged.bind(db, { objectId: intentId, count: state.paymentEvents.length }),
    assertPaymentUnchanged.bind(db, { paymentId: invoiceId, revision: known?.revision ?? null }),
    activePlanUnchanged(db, state),
    ...(paid === null ? [] : paymentRows(db, event, state, paid, nowMs)),
    ...planStatements(db, state, { ...folded, workspaceId, isActive: role === "active" }, nowMs),
    applyWaitingChanges.bind(db, state),
    ...[invoiceId, intentId].map((objectId) => applyWaitingEvents.bind(db, { objectId })),
  ];
  return { outcome: "applied", statements, reason: null, workspaceId };
}

/** The payment of an invoice, less refunds and disputes that arrived earlier. */
function paymentOf(
  { fact, occurredAt }: EventOf<"invoice-paid">,
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
  { fact }: EventOf<"invoice-paid">,
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

/** Writes the plan. An active plan replaces the one that was active before; any other is stored as canceled. */
function planStatements(
  db: D1Database,
  state: PlanState,
  folded: FoldedPlan & { readonly workspaceId: string; readonly isActive: boolean },
  nowMs: number,
): readonly D1PreparedStatement[] {
  const { plan, active, providerSubscriptionId } = state;
  const { plan: next, providerEvent, workspaceId, isActive } = folded;
  const replaced = isActive && active !== null && !isActivePlan(state) ? [active] : [];
  const status = isActive ? next.status : "canceled";
  const row = { ...next, status, workspaceId, providerSubscriptionId, providerEvent };
  return [
    ...replaced.map(({ subscriptionId }) => replacePlan.bind(db, { subscriptionId })),
    plan === null
      ? insertPlan.bind(db, { ...row, subscriptionId: newId(), nowMs })
      : updatePlan.bind(db, { ...plan, ...row }),
  ];
}

/** Links an invoice to its PaymentIntent, and applies the refunds and disputes that waited for it. */
export async function decideIntent(db: D1Database, fact: FactOf<"invoice-intent">): Promise<Decision> {
  const session = latest(db);
  const { invoiceId: paymentId, intentId } = fact;
  const [paid, linked, named] = await session.batch([
    paymentByIntent.bind(session, { paymentId }),
    eventsByObject.bind(session, { objectId: paymentId }),
    eventsByObject.bind(session, { objectId: intentId }),
  ]);
  const payment = paymentByIntent.row(paid);
  const links = eventsByObject.rows(linked);
  const unchanged = [
    assertEventsUnchanged.bind(db, { objectId: paymentId, count: links.length }),
    assertPaymentUnchanged.bind(db, { paymentId, revision: payment?.revision ?? null }),
  ];
  if (payment === null) return { ...without("waiting"), statements: unchanged };
  const events = eventsByObject.rows(named).map(toBillingEvent);
  const { receiptUrl, ...figures } = figuresOf(payment, events);
  const after = {
    ...payment,
    ...figures,
    receiptUrl: receiptUrl ?? payment.receiptUrl,
    revision: payment.revision + 1,
  };
  const statements = [
    ...unchanged,
    assertEventsUnchanged.bind(db, { objectId: intentId, count: events.length }),
    setIntent.bind(db, { paymentId, intentId }),
    ...paymentStatements(db, { from: payment.revision, payment: after }, 0),
    ...(await planTimeStatements(db, after)),
    applyWaitingEvents.bind(db, { objectId: intentId }),
  ];
  return { outcome: "applied", statements, reason: null, workspaceId: payment.workspaceId };
}

/** A failed invoice changes nothing: the provider retries it, and ends the plan when all retries fail. */
export async function logFailedInvoice(db: D1Database, fact: FactOf<"invoice-failed">): Promise<Decision> {
  const order = await orderById.first(db, fact);
  if (order !== null) log.failure({ event: "plan_payment_failed", workspaceId: order.workspaceId });
  return without("ignored");
}
