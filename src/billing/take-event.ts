import { type Databases, databaseOf, everyDatabase } from "../databases/databases.ts";
import { DIRECTORY, type Home } from "../databases/shard-name.ts";
import { latest } from "../db/reader.ts";
import { applyEvent, applyWaiting } from "./apply-event.ts";
import type { BillingEvent, BillingFact } from "./billing-event.ts";
import { toBillingEvent } from "./decide-payment.ts";
import { assertAtHome, knowsPayment, passOnEvent, waitingByObject } from "./event-home-store.ts";
import type { EventOutcome } from "./store.ts";

/**
 * Events with shards. An event is applied where the workspace of its order or payment lives. One whose payment no database
 * knows yet waits in `DB`, and is passed on once an event of the same payment or plan has told where.
 */

/** What later events may be about that concern the same money. */
function objectIdsOf(fact: BillingFact): readonly string[] {
  const ids = [
    ...("paymentId" in fact ? [fact.paymentId] : []),
    ...("invoiceId" in fact ? [fact.invoiceId] : []),
    ...("subscriptionId" in fact ? [fact.subscriptionId] : []),
    ...("intentId" in fact && fact.intentId !== null ? [fact.intentId] : []),
  ];
  return ids;
}

/** What the order or the payment of an event is known by. */
const namesOf = (fact: BillingFact): { readonly orderId: string; readonly ids: string } => ({
  orderId: "orderId" in fact ? fact.orderId : "",
  ids: JSON.stringify(objectIdsOf(fact)),
});

/** The workspace that an event concerns, and where it lives. */
interface Found {
  readonly home: Home;
  readonly workspaceId: string;
}

/** The workspace of which one database, where it lives, has the order or payment of an event. */
async function lookForHome(databases: Databases, fact: BillingFact): Promise<Found | null> {
  const names = namesOf(fact);
  const asked = await Promise.all(
    everyDatabase(databases).map(async ({ home, db }) => {
      const known = await knowsPayment.first(latest(db), names);
      return known === null ? null : { home, workspaceId: known.workspaceId };
    }),
  );
  return asked.find((found) => found !== null) ?? null;
}

/** Whether an event that waits would be taken to this database now. */
const isKnownAt = async (db: D1Database, fact: BillingFact): Promise<boolean> =>
  (await knowsPayment.first(latest(db), namesOf(fact))) !== null;

/**
 * As `lookForHome`, also while the workspace moves: the databases are looked at one beside the other, so that a look may see
 * the new one before it is opened and the old one after it was left. The new one was open by then, so that a second look
 * finds it.
 */
const homeOf = async (databases: Databases, fact: BillingFact): Promise<Found | null> =>
  (await lookForHome(databases, fact)) ?? (await lookForHome(databases, fact));

/**
 * Applies an event as `applyEvent`, in the database that it concerns. Where its workspace has left that one since the look, it
 * throws the error of `isMovingError`: told again, the event is applied at the new one.
 */
export async function takeEvent(
  databases: Databases,
  event: BillingEvent,
  nowMs: number,
): Promise<{ readonly outcome: EventOutcome; readonly home: Home }> {
  const { directory, shards } = databases;
  if (shards.size === 0) return { outcome: await applyEvent(directory, event, nowMs), home: DIRECTORY };
  const found = await homeOf(databases, event.fact);
  const { home, workspaceId } = found ?? { home: DIRECTORY, workspaceId: null };
  const db = databaseOf(databases, home) ?? directory;
  const outcome = await applyEvent(db, event, nowMs, workspaceId);
  if (found !== null) await passOnWaiting(databases, found, event, nowMs);
  // What it waits for may have come between the look and its row, and passed on all but this one.
  else if (outcome === "waiting") await passOnLate(databases, event, nowMs);
  return { outcome, home };
}

async function passOnLate(databases: Databases, event: BillingEvent, nowMs: number): Promise<void> {
  const found = await lookForHome(databases, event.fact);
  if (found !== null) await passOnWaiting(databases, found, event, nowMs);
}

/**
 * Applies where the workspace lives what has waited in `DB`, and what that makes known in turn. It may live in `DB` by now: its
 * payment was told of on a shard, which it left before what waits was passed on.
 */
async function passOnWaiting(
  databases: Databases,
  { home, workspaceId }: Found,
  first: BillingEvent,
  nowMs: number,
): Promise<void> {
  const { directory } = databases;
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
      else if (await isKnownAt(db, waiting.fact)) {
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
