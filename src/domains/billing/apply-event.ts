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
 * Applies the payment provider's events, each once, in the database of its workspace. An event whose payment is unknown
 * waits in `DB` until an event of the same payment or plan names the workspace.
 */

/**
 * Maximum number of times that an event is decided. It is decided again when another event of the same payment was
 * written first.
 */
const ATTEMPTS_MAX = 20;

/** Decides an event from the stored state. The statements fail their batch if that state has changed. */
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
 * Like `applyEvent`, in the database of the event's workspace. Throws an error that `isMovingError` recognizes when the
 * workspace has left that database meanwhile; the provider then resends the event, which is applied in the new
 * database.
 */
export async function applyEventAtHome(
  databases: Databases,
  event: BillingEvent,
  nowMs: number,
): Promise<{ readonly outcome: EventOutcome; readonly home: Home }> {
  const { directory, shards } = databases;
  if (shards.size === 0) return { outcome: await applyEvent(directory, event, nowMs), home: DIRECTORY };
  const found = await findWorkspace(databases, event);
  const { home, workspaceId } = found ?? { home: DIRECTORY, workspaceId: null };
  const db = databaseOf(databases, home) ?? directory;
  if (found !== null) await recordObjectsInDirectory(databases, found, event);
  const outcome = await applyEvent(db, event, nowMs, workspaceId);
  // An event that makes the payment known may have been applied after the lookup, before this event began to wait. It
  // did not pass this event on, so look up the workspace again.
  const known = found ?? (outcome === "waiting" ? await findWorkspace(databases, event) : null);
  if (known !== null) await passOnWaiting(databases, known, event, nowMs);
  return { outcome, home };
}

/**
 * Applies a provider event once: one batch writes its effect and its row. Events may arrive in any order and hours
 * late. `waiting`: the payment is unknown or another plan is active; the event that resolves this applies it.
 * `refused`: the payment buys nothing (`RefusalReason`); it is logged, and reconcile reports it. When the workspace is
 * moving or has left the database, writes nothing and throws an error that `isMovingError` recognizes.
 */
export async function applyEvent(
  db: D1Database,
  event: BillingEvent,
  nowMs: number,
  workspaceId: string | null = null,
): Promise<EventOutcome> {
  const outcome = await applyOnce(db, event, nowMs, workspaceId);
  const { fact } = event;
  // Also for an event that was applied already, because the request that applied it may have crashed before this step.
  if (fact.kind === "subscription-changed" || fact.kind === "invoice-paid") {
    // Invoices that waited for the end of another plan.
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
    // The event's own row is last, because the decision's guards count the earlier events.
    const written = [...decision.statements, rowOf(db, event, decision, nowMs)];
    if (!(await isWritten(db, workspaceId ?? decision.workspaceId, written))) continue;
    if (decision.reason !== null) logReason(event, decision, decision.reason);
    return decision.outcome;
  }
  throw new Error("the payment changes faster than an event of it can be applied");
}

/** Decides a waiting event of this database again. */
async function applyWaiting(db: D1Database, event: BillingEvent, nowMs: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { outcome, statements, workspaceId } = await decide(db, event, nowMs);
    if (outcome !== "applied" && outcome !== "refused") return;
    const settled = settleWaitingEvent.bind(db, { eventId: event.eventId, outcome });
    if (await isWritten(db, workspaceId, [...statements, settled])) return;
  }
}

/** Writes a decision for a workspace of this database; false, with nothing written, when it was outdated. */
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

/** Ids under which later events may name the same payment. */
const objectIdsOf = (fact: BillingFact): readonly string[] => [
  ...("paymentId" in fact ? [fact.paymentId] : []),
  ...("invoiceId" in fact ? [fact.invoiceId] : []),
  ...("subscriptionId" in fact ? [fact.subscriptionId] : []),
  ...("intentId" in fact && fact.intentId !== null ? [fact.intentId] : []),
];

/** A row when the database has the event's order or payment. */
const findPayment = (db: D1Database, fact: BillingFact) =>
  knowsPayment.first(latest(db), {
    orderId: "orderId" in fact ? fact.orderId : null,
    ids: JSON.stringify(objectIdsOf(fact)),
  });

/**
 * The workspace of an event's order or payment, and the workspace's database; null when unknown. The directory names
 * both, and the database confirms that it has the payment. Throws an error that `isMovingError` recognizes while the
 * directory still names the database that the workspace has left.
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

/** Records an event's ids and their workspace in the directory, because later events contain only such ids. */
async function recordObjectsInDirectory(
  { directory }: Databases,
  { home, workspaceId }: Located,
  { fact }: BillingEvent,
) {
  if (home === DIRECTORY) return;
  await insertObjects.run(directory, { workspaceId, objectIds: JSON.stringify(objectIdsOf(fact)) });
}

/**
 * Applies the events in `DB` that waited for this one, and then the events that waited for those, in the workspace's
 * database. That may be `DB` itself, if the workspace has moved there since the events began to wait.
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
        await recordObjectsInDirectory(databases, found, waiting);
        await applyEvent(db, waiting, nowMs, workspaceId);
        passed.push(waiting);
      } else {
        // The workspace's database does not know the event's payment yet, so the event keeps waiting. Throws if the
        // reason is that the workspace has left that database.
        await assertAtHome.run(db, { workspaceId });
        continue;
      }
      events.push(waiting);
    }
  }
  // Runs last, and in reverse order: after a crash in between, a retry finds the remaining events again from the first.
  // An event that is passed on twice is applied once.
  for (const { eventId } of passed.toReversed()) await passOnEvent.run(directory, { eventId });
}
