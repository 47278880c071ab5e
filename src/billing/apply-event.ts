import { isGuardViolation } from "../db/guard.ts";
import { latest } from "../db/reader.ts";
import { log } from "../platform/log.ts";
import { type BillingEvent, isPaymentFact, objectIdOf } from "./billing-event.ts";
import { decidePayment } from "./decide-payment.ts";
import { decidePlan } from "./decide-plan.ts";
import type { Decision } from "./decision.ts";
import { type EventOutcome, insertEvent, isEventKnown, outcomeByEvent } from "./store.ts";

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

/**
 * Applies an event of the payment provider, once: its effect and its row are one batch, and a repetition has no effect.
 * Events may come in any order and hours late. `waiting`: its payment is not known yet, and it is applied with the event
 * that makes it known. `refused`: money that is for no order as it was ordered; it is logged, and reconcile reports it.
 */
export async function applyEvent(db: D1Database, event: BillingEvent, nowMs: number): Promise<EventOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const known = await outcomeByEvent.first(latest(db), { eventId: event.eventId });
    if (known !== null) return known.outcome;
    const decision = await decide(db, event, nowMs);
    try {
      // Last: what the decision holds to is how many events there were before this one.
      await db.batch([...decision.statements, rowOf(db, event, decision, nowMs)]);
    } catch (thrown) {
      if (isOutdated(thrown)) continue;
      throw thrown;
    }
    if (decision.outcome === "refused") logRefusal(event, decision);
    return decision.outcome;
  }
  throw new Error("the payment changes faster than an event of it can be applied");
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

const logRefusal = ({ eventId }: BillingEvent, { reason, workspaceId }: Decision): void =>
  log.failure({
    event: "billing_event_refused",
    eventId,
    ...(reason === null ? {} : { code: reason }),
    ...(workspaceId === null ? {} : { workspaceId }),
  });
