import {
  activeSubscription,
  assertPlanUnchanged,
  planAsRead,
  planByProvider,
  toPlan,
} from "#domains/ledger/plan-store.ts";
import { latest } from "#platform/db/reader.ts";
import type { BillingEvent, EventOf } from "../events/billing-event.ts";
import { assertEventsUnchanged, eventsByObject, toBillingEvent } from "../events/event-store.ts";
import { billedWorkspace, orderById, receiptAddresses } from "../payments/payment-store.ts";
import { isMoneyKept } from "../payments/refunds-and-disputes.ts";
import {
  assertActivePlanUnchanged,
  latestOtherPeriod,
  type PlanPayment,
  planPayments,
} from "./subscription-store.ts";

type PlanEvent = EventOf<"invoice-paid" | "subscription-changed">;

export async function readPlanState(db: D1Database, event: PlanEvent) {
  const session = latest(db);
  const { fact } = event;
  const providerSubscriptionId = fact.subscriptionId;
  const invoiceId = fact.kind === "invoice-paid" ? fact.invoiceId : null;
  const [stored, planned, ordered, linked] = await session.batch([
    eventsByObject.bind(session, { objectId: providerSubscriptionId }),
    planByProvider.bind(session, { providerSubscriptionId }),
    orderById.bind(session, { orderId: fact.orderId }),
    eventsByObject.bind(session, { objectId: invoiceId }),
  ]);
  const order = orderById.row(ordered);
  const links = eventsByObject.rows(linked).map(toBillingEvent);
  const intentId = intentOf(fact, links);
  const workspaceId = order?.workspaceId ?? null;
  const [active, workspace, paid, named, addresses, other] = await session.batch([
    activeSubscription.bind(session, { workspaceId }),
    billedWorkspace.bind(session, { workspaceId }),
    planPayments.bind(session, { workspaceId, providerSubscriptionId }),
    eventsByObject.bind(session, { objectId: intentId }),
    receiptAddresses.bind(session, { workspaceId }),
    latestOtherPeriod.bind(session, { workspaceId, providerSubscriptionId }),
  ]);
  return {
    providerSubscriptionId,
    events: eventsByObject.rows(stored).map(toBillingEvent),
    plan: toPlan(planByProvider.row(planned)),
    order: order?.kind === "plan" ? order : null,
    links,
    intentId,
    active: activeSubscription.row(active),
    workspace: billedWorkspace.row(workspace),
    payments: planPayments.rows(paid),
    paymentEvents: eventsByObject.rows(named).map(toBillingEvent),
    addresses: receiptAddresses.rows(addresses),
    latestOther: latestOtherPeriod.row(other)?.startMs ?? null,
  };
}

export type PlanState = Awaited<ReturnType<typeof readPlanState>>;

/** The PaymentIntent of an invoice, from this event or a link event. */
function intentOf(fact: PlanEvent["fact"], links: readonly BillingEvent[]): string | null {
  if (fact.kind !== "invoice-paid") return null;
  const [linked] = links.flatMap(({ fact: link }) => (link.kind === "invoice-intent" ? [link.intentId] : []));
  return fact.intentId ?? linked ?? null;
}

/** Guards against changes of the state on which the decision of a plan's event is based. */
export const unchangedStatements = (db: D1Database, state: PlanState): readonly D1PreparedStatement[] => [
  assertEventsUnchanged.bind(db, { objectId: state.providerSubscriptionId, count: state.events.length }),
  assertPlanUnchanged.bind(db, {
    providerSubscriptionId: state.providerSubscriptionId,
    asRead: planAsRead(state.plan),
  }),
];

/** Guards against changes of the active plan and of the other plans' latest period. */
export const activePlanUnchanged = (
  db: D1Database,
  { workspace, active, providerSubscriptionId, latestOther }: PlanState,
): D1PreparedStatement =>
  assertActivePlanUnchanged.bind(db, {
    workspaceId: workspace?.workspaceId ?? null,
    subscriptionId: active?.subscriptionId ?? null,
    providerSubscriptionId,
    latestOther,
  });

/**
 * Returns a function of a period's start; it returns false if a payment of that period was fully refunded or disputed.
 */
export const isPeriodMoneyKept =
  (payments: readonly Pick<PlanPayment, "amount" | "amountRefunded" | "amountDisputed" | "periodStart">[]) =>
  (periodStart: number): boolean =>
    payments.filter((payment) => payment.periodStart === periodStart).every(isMoneyKept);
