import { latest } from "#platform/db/reader.ts";
import type { FactOf } from "../billing-event.ts";
import { figuresOf } from "../payments/payment-figures.ts";
import { planTimeStatements } from "../plans/plan-paid-time.ts";
import { setIntent } from "../plans/plan-store.ts";
import {
  applyWaitingEvents,
  assertEventsUnchanged,
  assertPaymentUnchanged,
  eventsByObject,
  paymentByIntent,
} from "../store.ts";
import { paymentStatements, toBillingEvent } from "./decide-payment.ts";
import { type Decision, without } from "./decision.ts";

/** Links an invoice to the PaymentIntent that has paid it: refunds and disputes that waited for it are applied. */
export async function decideIntent(db: D1Database, fact: FactOf<"invoice-intent">): Promise<Decision> {
  const session = latest(db);
  const { invoiceId: paymentId, intentId } = fact;
  const [paid, linked, told] = await session.batch([
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
  const events = eventsByObject.rows(told).map(toBillingEvent);
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
