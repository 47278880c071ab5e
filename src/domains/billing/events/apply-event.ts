import { isGuardViolation } from "#platform/db/guard.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import { type BillingEvent, isPaymentFact, objectIdOf } from "../billing-event.ts";
import { settleWaitingEvent, waitingInvoices } from "../plans/plan-store.ts";
import { type EventOutcome, insertEvent, isEventKnown, outcomeByEvent } from "../store.ts";
import { decidePayment, toBillingEvent } from "./decide-payment.ts";
import { decidePlan } from "./decide-plan.ts";
import type { Decision } from "./decision.ts";
import { assertAtHome } from "./event-database-store.ts";

/** Events of one payment that come at once; each of them is decided again after the one before it. */
const ATTEMPTS_MAX = 20;

/** True when a batch was decided on what has changed since, so that it is to be decided again. */
export const isOutdated = (thrown: unknown): boolean =>
  isGuardViolation(thrown, "payment_unchanged") ||
  isEventKnown(thrown) ||
  // The workspace has spent meanwhile what was to be taken back.
  (thrown instanceof Error && thrown.message.includes("CHECK constraint failed: credits_never_negative"));

const decide = (db: D1Database, event: BillingEvent, nowMs: number): Promise<Decision> =>
  isPaymentFact(event.fact) ? decidePayment(db, event, nowMs) : decidePlan(db, event, nowMs);

/** An event, and the workspace that it concerns where that is known before it is decided. */
interface Concerning {
  readonly event: BillingEvent;
  readonly workspaceId: string | null;
}

/**
 * Applies an event of the payment provider, once: its effect and its row are one batch, and a repetition has no effect.
 * Events may come in any order and hours late. `waiting`: its payment is not known yet, or another plan has its place; it is
 * applied with the event that changes that. `refused`: money that is for no order as it was ordered; it is logged, and
 * reconcile reports it. Throws the error of `isMovingError`, and writes nothing, where the workspace moves or has left.
 */
export async function applyEvent(
  db: D1Database,
  event: BillingEvent,
  nowMs: number,
  workspaceId: string | null = null,
): Promise<EventOutcome> {
  const outcome = await applyOnce(db, { event, workspaceId }, nowMs);
  const { fact } = event;
  // Also after a repetition: the attempt that applied it may have ended before this.
  if (fact.kind === "subscription-changed" || fact.kind === "invoice-paid") {
    await applyWaitingInvoices(db, fact.orderId, nowMs);
  }
  return outcome;
}

async function applyOnce(
  db: D1Database,
  { event, workspaceId }: Concerning,
  nowMs: number,
): Promise<EventOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const known = await outcomeByEvent.first(latest(db), { eventId: event.eventId });
    if (known !== null) return known.outcome;
    const decision = await decide(db, event, nowMs);
    // Last: what the decision holds to is how many events there were before this one.
    const written = [...decision.statements, rowOf(db, event, decision, nowMs)];
    if (!(await isWritten(db, workspaceId ?? decision.workspaceId, written))) continue;
    if (decision.reason !== null) logReason(event, decision);
    return decision.outcome;
  }
  throw new Error("the payment changes faster than an event of it can be applied");
}

/** Decides invoices anew that waited until another plan of their workspace is over. */
async function applyWaitingInvoices(db: D1Database, orderId: string, nowMs: number): Promise<void> {
  const waiting = await waitingInvoices.all(latest(db), { orderId });
  for (const event of waiting.map(toBillingEvent)) await applyWaiting(db, event, nowMs);
}

/** Decides an event anew that waits in this database. */
export async function applyWaiting(db: D1Database, event: BillingEvent, nowMs: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { outcome, statements, workspaceId } = await decide(db, event, nowMs);
    if (outcome !== "applied" && outcome !== "refused") return;
    const settled = settleWaitingEvent.bind(db, { eventId: event.eventId, outcome });
    if (await isWritten(db, workspaceId, [...statements, settled])) return;
  }
}

/** Writes what was decided for a workspace that lives here; false where that was outdated, and nothing was written. */
async function isWritten(
  db: D1Database,
  workspaceId: string | null,
  statements: readonly D1PreparedStatement[],
): Promise<boolean> {
  const atHome = workspaceId === null ? [] : [assertAtHome.bind(db, { workspaceId })];
  try {
    await db.batch([...atHome, ...statements]);
    return true;
  } catch (thrown) {
    if (isOutdated(thrown)) return false;
    throw thrown;
  }
}

const rowOf = (db: D1Database, event: BillingEvent, { outcome }: Decision, nowMs: number) =>
  insertEvent.bind(db, {
    eventId: event.eventId,
    type: event.type,
    objectId: objectIdOf(event.fact),
    facts: event.fact,
    outcome,
    occurredAt: event.occurredAt,
    receivedAt: nowMs,
  });

const logReason = ({ eventId }: BillingEvent, { outcome, reason, workspaceId }: Decision): void =>
  log.failure({
    event: outcome === "refused" ? "billing_event_refused" : "billing_event_waits",
    eventId,
    ...(reason === null ? {} : { code: reason }),
    ...(workspaceId === null ? {} : { workspaceId }),
  });
