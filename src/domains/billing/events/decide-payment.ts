import { insertCreditEvent } from "#domains/ledger/store.ts";
import { mailStatement, type NewMail } from "#domains/mail/outbox.ts";
import { latest } from "#platform/db/reader.ts";
import { type BillingEvent, billingFactSchema, objectIdOf } from "../billing-event.ts";
import {
  type Payment,
  type PaymentEffect,
  type PaymentState,
  type PaymentWrite,
  paymentEffect,
} from "../payments/payment-effects.ts";
import { planTimeStatements } from "../plans/plan-paid-time.ts";
import {
  applyWaitingEvents,
  assertEventsUnchanged,
  assertPaymentUnchanged,
  billedWorkspace,
  eventsByObject,
  insertPayment,
  liftDisputeSuspension,
  markTopUpPaid,
  orderById,
  owingPayments,
  paymentByIntent,
  type ReceiptAddress,
  receiptAddresses,
  type StoredBillingEvent,
  suspendForDispute,
  updatePayment,
} from "../store.ts";
import type { Decision } from "./decision.ts";

/** A receipt is of use for so long: its mail is tried that long at most. */
const RECEIPT_LIFETIME_MS = 3 * 86_400_000;

/** An event as it was stored. Its facts were checked when it came; they are checked again, for versions differ. */
export const toBillingEvent = ({ facts, ...event }: StoredBillingEvent): BillingEvent => ({
  ...event,
  fact: billingFactSchema.parse(facts),
});

interface ReadState extends PaymentState {
  readonly receiptAddresses: readonly ReceiptAddress[];
}

async function readState(db: D1Database, event: BillingEvent): Promise<ReadState> {
  const session = latest(db);
  const objectId = objectIdOf(event.fact);
  const orderId = "orderId" in event.fact ? event.fact.orderId : "";
  const [paid, stored, ordered] = await session.batch([
    paymentByIntent.bind(session, { paymentId: objectId }),
    eventsByObject.bind(session, { objectId }),
    orderById.bind(session, { orderId }),
  ]);
  const payment = paymentByIntent.row(paid);
  const order = orderById.row(ordered);
  const workspaceId = payment?.workspaceId ?? order?.workspaceId ?? "";
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

/** Writes a payment as it was decided; its batch fails when the payment has changed since. */
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
    workspaceId: payment.workspaceId,
    paymentId: payment.paymentId,
    kind: payment.kind,
    amount: payment.amount,
    currency: payment.currency,
    credits: payment.credits,
    paidAtMs: payment.paidAt,
    receiptUrl: payment.receiptUrl,
  },
  sealed: null,
  nowMs,
  expiresAtMs: nowMs + RECEIPT_LIFETIME_MS,
});

/** The receipts of a payment, to each owner whose address is confirmed. */
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
  workspaceId: string,
  suspension: Applied["suspension"],
  nowMs: number,
) {
  if (suspension === null) return [];
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
  // First: the grant's own event may buy again, and only one purchase of a workspace is open at a time.
  return [...topUp, ...receiptStatements(db, granted, state.receiptAddresses, nowMs)];
}

/** A plan whose payment was taken back. */
const planStatements = async (db: D1Database, writes: readonly PaymentWrite[]) => {
  const ofPlans = writes.filter(({ payment }) => payment.kind === "plan");
  return (await Promise.all(ofPlans.map(({ payment }) => planTimeStatements(db, payment)))).flat();
};

/** Decides an event of a payment by what is stored now. The statements fail their batch where that has changed. */
export async function decidePayment(db: D1Database, event: BillingEvent, nowMs: number): Promise<Decision> {
  const state = await readState(db, event);
  const effect = paymentEffect(state, event, nowMs);
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
    ...suspensionStatements(db, workspaceId ?? "", effect.suspension, nowMs),
    ...(await planStatements(db, effect.writes)),
    applyWaitingEvents.bind(db, { objectId }),
  ];
  return { outcome: "applied", statements, reason: null, workspaceId };
}
