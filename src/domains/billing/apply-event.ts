import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { insertObjects } from "#platform/databases/directory-store.ts";
import { findObject, type Located } from "#platform/databases/find-across-databases.ts";
import { DIRECTORY, type Home } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import { type BillingEvent, type BillingFact, objectIdOf } from "./events/billing-event.ts";
import {
  assertAtHome,
  type Decision,
  type EventOutcome,
  insertEvent,
  isOutdated,
  knowsPayment,
  outcomeByEvent,
  passOnEvent,
  settleWaitingEvent,
  toBillingEvent,
  waitingByObject,
  waitingInvoices,
} from "./events/event-store.ts";
import { decidePayment } from "./payments/decide-payment.ts";
import { changeEffect, IGNORED, purchaseEffect } from "./payments/payment-effects.ts";
import { decideIntent, decideInvoice, logFailedInvoice } from "./subscriptions/decide-invoice.ts";
import { decideSubscription } from "./subscriptions/decide-subscription.ts";

/**
 * Applies the payment provider's events: each once, in the database of its workspace. An event whose payment no database
 * knows yet waits in `DB`, and is passed on once an event of the same payment or plan has named the workspace.
 */

/** How often an event is decided again because another event of the same payment was written first. */
const ATTEMPTS_MAX = 20;

/** Decides an event by what is stored now. The statements fail their batch where that has changed. */
function decide(db: D1Database, event: BillingEvent, nowMs: number): Promise<Decision> {
  const { fact } = event;
  switch (fact.kind) {
    case "payment-succeeded":
      return decidePayment(db, event, nowMs, (state) => purchaseEffect(state, { ...event, fact }, nowMs));
    case "charged":
    case "refunded":
    case "refund-failed":
    case "disputed":
      return decidePayment(db, event, nowMs, (state) => changeEffect(state, event));
    case "payment-failed":
      return decidePayment(db, event, nowMs, () => IGNORED);
    case "invoice-paid":
      return decideInvoice(db, { ...event, fact }, nowMs);
    case "invoice-intent":
      return decideIntent(db, fact);
    case "invoice-failed":
      return logFailedInvoice(db, fact);
    case "subscription-changed":
      return decideSubscription(db, { ...event, fact });
    default:
      return fact satisfies never;
  }
}

/**
 * Applies an event as `applyEvent`, in the database of its workspace. Throws the error of `isMovingError` where the workspace
 * has left that database since it was looked up: the provider sends the event again, and it is applied at the new one.
 */
export async function takeEvent(
  databases: Databases,
  event: BillingEvent,
  nowMs: number,
): Promise<{ readonly outcome: EventOutcome; readonly home: Home }> {
  const { directory, shards } = databases;
  if (shards.size === 0) return { outcome: await applyEvent(directory, event, nowMs), home: DIRECTORY };
  const found = await findWorkspace(databases, event);
  const { home, workspaceId } = found ?? { home: DIRECTORY, workspaceId: null };
  const db = databaseOf(databases, home) ?? directory;
  if (found !== null) await noteObjects(databases, found, event);
  const outcome = await applyEvent(db, event, nowMs, workspaceId);
  // An event that waits: what it waits for may have come since the look, and have passed on all but this one.
  const known = found ?? (outcome === "waiting" ? await findWorkspace(databases, event) : null);
  if (known !== null) await passOnWaiting(databases, known, event, nowMs);
  return { outcome, home };
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
  const outcome = await applyOnce(db, event, nowMs, workspaceId);
  const { fact } = event;
  // Also after a repetition: the attempt that applied it may have ended before this.
  if (fact.kind === "subscription-changed" || fact.kind === "invoice-paid") {
    // Invoices that waited until another plan of their workspace is over.
    const waiting = await waitingInvoices.all(latest(db), { orderId: fact.orderId });
    for (const invoice of waiting.map(toBillingEvent)) await applyWaiting(db, invoice, nowMs);
  }
  return outcome;
}

async function applyOnce(
  db: D1Database,
  event: BillingEvent,
  nowMs: number,
  workspaceId: string | null,
): Promise<EventOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const known = await outcomeByEvent.first(latest(db), { eventId: event.eventId });
    if (known !== null) return known.outcome;
    const decision = await decide(db, event, nowMs);
    // The event's row is last: the decision's guards count the events that were there before it.
    const written = [...decision.statements, rowOf(db, event, decision, nowMs)];
    if (!(await isWritten(db, workspaceId ?? decision.workspaceId, written))) continue;
    if (decision.reason !== null) logReason(event, decision, decision.reason);
    return decision.outcome;
  }
  throw new Error("the payment changes faster than an event of it can be applied");
}

/** Decides an event again that waits in this database. */
async function applyWaiting(db: D1Database, event: BillingEvent, nowMs: number): Promise<void> {
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
    ...pick(event, "eventId", "type", "occurredAt"),
    objectId: objectIdOf(event.fact),
    facts: event.fact,
    outcome,
    receivedAt: nowMs,
  });

const logReason = ({ eventId }: BillingEvent, { outcome, workspaceId }: Decision, code: string): void =>
  log.failure({
    event: outcome === "refused" ? "billing_event_refused" : "billing_event_waits",
    eventId,
    code,
    ...(workspaceId === null ? {} : { workspaceId }),
  });

/** What later events may name that are about the same money. */
const objectIdsOf = (fact: BillingFact): readonly string[] => [
  ...("paymentId" in fact ? [fact.paymentId] : []),
  ...("invoiceId" in fact ? [fact.invoiceId] : []),
  ...("subscriptionId" in fact ? [fact.subscriptionId] : []),
  ...("intentId" in fact && fact.intentId !== null ? [fact.intentId] : []),
];

/** A row where a database has the order or the payment of an event. */
const findPayment = (db: D1Database, fact: BillingFact) =>
  knowsPayment.first(latest(db), {
    orderId: "orderId" in fact ? fact.orderId : null,
    ids: JSON.stringify(objectIdsOf(fact)),
  });

/**
 * The workspace whose order or payment an event is of, and its database: the directory names it, and the database where it
 * lives has the payment. Throws the error of `isMovingError` while a move has not reached the directory.
 */
async function findWorkspace(databases: Databases, event: BillingEvent): Promise<Located | null> {
  const ask = (db: D1Database) => findPayment(db, event.fact);
  const named = { workspaceId: event.workspaceId ?? null, objectIds: objectIdsOf(event.fact) };
  const found = await findObject(databases, named, ask);
  const home = found?.home ?? DIRECTORY;
  const db = databaseOf(databases, home) ?? databases.directory;
  const known = await ask(db);
  if (known !== null) return { home, workspaceId: known.workspaceId };
  if (found !== null) await assertAtHome.run(db, found);
  return null;
}

/** Notes in the directory which workspace an event's payment is of: later events name nothing else. */
async function noteObjects({ directory }: Databases, { home, workspaceId }: Located, { fact }: BillingEvent) {
  if (home === DIRECTORY) return;
  await insertObjects.run(directory, { workspaceId, objectIds: JSON.stringify(objectIdsOf(fact)) });
}

/**
 * Applies where the workspace lives what has waited in `DB`, and what that makes known in turn. It may live in `DB` by now: the
 * event of its payment came to a shard, which it left before the waiting events were passed on.
 */
async function passOnWaiting(
  databases: Databases,
  found: Located,
  first: BillingEvent,
  nowMs: number,
): Promise<void> {
  const { directory } = databases;
  const { home, workspaceId } = found;
  const db = databaseOf(databases, home) ?? directory;
  const seen = new Set<string>();
  const passed: BillingEvent[] = [];
  const events = [first];
  for (let event = events.pop(); event !== undefined; event = events.pop()) {
    const objectIds = JSON.stringify(objectIdsOf(event.fact));
    const rows = await waitingByObject.all(latest(directory), { objectIds });
    for (const waiting of rows.filter(({ eventId }) => !seen.has(eventId)).map(toBillingEvent)) {
      seen.add(waiting.eventId);
      if (home === DIRECTORY) await applyWaiting(directory, waiting, nowMs);
      else if ((await findPayment(db, waiting.fact)) !== null) {
        await noteObjects(databases, found, waiting);
        await applyEvent(db, waiting, nowMs, workspaceId);
        passed.push(waiting);
      } else {
        // It waits on: passed on too early, it would be of no workspace there. One that has left since knows nothing any more.
        await assertAtHome.run(db, { workspaceId });
        continue;
      }
      events.push(waiting);
    }
  }
  // Last, and what hangs on another before that one: if this ends in between, the rest is found again the way it was found.
  // What is passed on twice is applied once.
  for (const { eventId } of passed.toReversed()) await passOnEvent.run(directory, { eventId });
}
