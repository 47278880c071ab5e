import { withPayTime } from "#domains/ledger/plan.ts";
import {
  assertPlanUnchanged,
  planAsRead,
  planByProvider,
  toPlan,
  updatePlan,
} from "#domains/ledger/plan-store.ts";
import { insertCreditEvent } from "#domains/ledger/store.ts";
import { mailStatement, type NewMail } from "#domains/mail/outbox.ts";
import { latest } from "#platform/db/reader.ts";
import { pick } from "#platform/pick-members.ts";
import { type BillingEvent, objectIdOf } from "../events/billing-event.ts";
import {
  applyWaitingEvents,
  assertEventsUnchanged,
  type Decision,
  eventsByObject,
  toBillingEvent,
} from "../events/event-store.ts";
import type { PaymentEffect, PaymentState, PaymentWrite } from "./payment-effects.ts";
import {
  assertPaymentUnchanged,
  billedWorkspace,
  insertPayment,
  liftDisputeSuspension,
  markTopUpPaid,
  orderById,
  owingPayments,
  type Payment,
  paymentByIntent,
  planOfPayment,
  type ReceiptAddress,
  receiptAddresses,
  suspendForDispute,
  updatePayment,
} from "./payment-store.ts";
import { isMoneyKept } from "./refunds-and-disputes.ts";

/** Lifetime of a receipt's mail; a later receipt is useless. */
const RECEIPT_LIFETIME_MS = 3 * 86_400_000;

interface ReadState extends PaymentState {
  readonly receiptAddresses: readonly ReceiptAddress[];
}

async function readState(db: D1Database, event: BillingEvent): Promise<ReadState> {
  const session = latest(db);
  const objectId = objectIdOf(event.fact);
  const orderId = "orderId" in event.fact ? event.fact.orderId : null;
  const [paid, stored, ordered] = await session.batch([
    paymentByIntent.bind(session, { paymentId: objectId }),
    eventsByObject.bind(session, { objectId }),
    orderById.bind(session, { orderId }),
  ]);
  const payment = paymentByIntent.row(paid);
  const order = orderById.row(ordered);
  const workspaceId = payment?.workspaceId ?? order?.workspaceId ?? null;
  const [workspace, owing, addresses] = await session.batch([
    billedWorkspace.bind(session, { workspaceId }),
    owingPayments.bind(session, { workspaceId }),
    receiptAddresses.bind(session, { workspaceId }),
  ]);
  return {
    payment,
    order,
    events: eventsByObject.rows(stored).map(toBillingEvent),
    workspace: billedWorkspace.row(workspace),
    owing: owingPayments.rows(owing),
    receiptAddresses: receiptAddresses.rows(addresses),
  };
}

/** Writes a decided payment; its batch fails when the payment has changed. */
export function paymentStatements(
  db: D1Database,
  { from, payment }: PaymentWrite,
  nowMs: number,
): readonly D1PreparedStatement[] {
  const { paymentId } = payment;
  return [
    assertPaymentUnchanged.bind(db, { paymentId, revision: from }),
    from === null ? insertPayment.bind(db, { ...payment, nowMs }) : updatePayment.bind(db, payment),
  ];
}

const receiptOf = (
  payment: Payment,
  { accountId, email, language }: ReceiptAddress,
  nowMs: number,
): NewMail => ({
  reference: `receipt:${payment.paymentId}:${accountId}`,
  kind: "receipt",
  address: email,
  language,
  facts: {
    ...pick(payment, "workspaceId", "paymentId", "kind", "amount", "currency", "credits"),
    paidAtMs: payment.paidAt,
    receiptUrl: payment.receiptUrl,
  },
  sealed: null,
  nowMs,
  expiresAtMs: nowMs + RECEIPT_LIFETIME_MS,
});

/** Receipts of a payment for each owner with a confirmed address. */
export const receiptStatements = (
  db: D1Database,
  payment: Payment,
  addresses: readonly ReceiptAddress[],
  nowMs: number,
): readonly D1PreparedStatement[] =>
  addresses.map((address) => mailStatement(db, receiptOf(payment, address, nowMs)));

type Applied = Extract<PaymentEffect, { outcome: "applied" }>;

export function suspensionStatements(
  db: D1Database,
  workspaceId: string | null,
  suspension: Applied["suspension"],
  nowMs: number,
) {
  if (suspension === null || workspaceId === null) return [];
  return suspension === "suspend"
    ? [suspendForDispute.bind(db, { workspaceId, nowMs })]
    : [liftDisputeSuspension.bind(db, { workspaceId })];
}

function grantStatements(db: D1Database, state: ReadState, granted: Payment | null, nowMs: number) {
  if (granted === null || state.order === null) return [];
  const { paymentId } = granted;
  const topUp =
    granted.kind === "top-up"
      ? [markTopUpPaid.bind(db, { topUpId: state.order.orderId, paymentId, nowMs })]
      : [];
  // Runs before the grant, which may itself trigger a purchase: a workspace has one open purchase at a time.
  return [...topUp, ...receiptStatements(db, granted, state.receiptAddresses, nowMs)];
}

/** Updates of plans whose payments were refunded or disputed. */
const planStatements = async (db: D1Database, writes: readonly PaymentWrite[]) => {
  const ofPlans = writes.filter(({ payment }) => payment.kind === "plan");
  return (await Promise.all(ofPlans.map(({ payment }) => planTimeStatements(db, payment)))).flat();
};

/** Decides an event of a payment from the stored state. The statements fail their batch if that state has changed. */
export async function decidePayment(
  db: D1Database,
  event: BillingEvent,
  nowMs: number,
  effectOf: (state: PaymentState) => PaymentEffect,
): Promise<Decision> {
  const state = await readState(db, event);
  const effect = effectOf(state);
  const objectId = objectIdOf(event.fact);
  const unchanged = [
    assertEventsUnchanged.bind(db, { objectId, count: state.events.length }),
    assertPaymentUnchanged.bind(db, {
      paymentId: state.payment?.paymentId ?? objectId,
      revision: state.payment?.revision ?? null,
    }),
  ];
  const workspaceId = state.workspace?.workspaceId ?? null;
  if (effect.outcome !== "applied") {
    const reason = effect.outcome === "refused" ? effect.reason : null;
    return { outcome: effect.outcome, statements: unchanged, reason, workspaceId };
  }
  const statements = [
    ...unchanged,
    ...grantStatements(db, state, effect.granted, nowMs),
    ...effect.ledger.map((entry) => insertCreditEvent.bind(db, { ...entry, nowMs })),
    ...effect.writes.flatMap((write) => paymentStatements(db, write, nowMs)),
    ...suspensionStatements(db, workspaceId, effect.suspension, nowMs),
    ...(await planStatements(db, effect.writes)),
    applyWaitingEvents.bind(db, { objectId }),
  ];
  return { outcome: "applied", statements, reason: null, workspaceId };
}

/**
 * Stops a plan's period whose payment was fully refunded or disputed, and resumes it when that is undone. For the batch
 * that writes the payment.
 */
export async function planTimeStatements(
  db: D1Database,
  payment: Payment,
): Promise<readonly D1PreparedStatement[]> {
  const session = latest(db);
  const paid = await planOfPayment.first(session, payment);
  const providerSubscriptionId = paid?.providerSubscriptionId ?? null;
  const plan = toPlan(await planByProvider.first(session, { providerSubscriptionId }));
  if (plan === null || plan.periodStart !== paid?.periodStart) return [];
  return [
    assertPlanUnchanged.bind(db, { ...plan, asRead: planAsRead(plan) }),
    updatePlan.bind(db, { ...plan, ...withPayTime(plan, isMoneyKept(payment)) }),
  ];
}
