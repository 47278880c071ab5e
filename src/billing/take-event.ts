import { type Databases, databaseOf, everyDatabase } from "../databases/databases.ts";
import { DIRECTORY, type Home } from "../databases/shard-name.ts";
import { latest } from "../db/reader.ts";
import { applyEvent } from "./apply-event.ts";
import type { BillingEvent, BillingFact } from "./billing-event.ts";
import { toBillingEvent } from "./decide-payment.ts";
import { knowsPayment, passOnEvent, waitingByObject } from "./event-home-store.ts";
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

/** The database that has the order or payment of an event, of a workspace that lives there. */
async function lookForHome(databases: Databases, fact: BillingFact): Promise<Home | null> {
  const ids = JSON.stringify(objectIdsOf(fact));
  const orderId = "orderId" in fact ? fact.orderId : "";
  const asked = await Promise.all(
    everyDatabase(databases).map(async ({ home, db }) => {
      const known = await knowsPayment.first(latest(db), { orderId, ids });
      return known === null ? null : home;
    }),
  );
  return asked.find((home) => home !== null) ?? null;
}

/**
 * As `lookForHome`, also while the workspace moves: the databases are looked at one beside the other, so that a look may see
 * the new one before it is opened and the old one after it was left. The new one was open by then, so that a second look
 * finds it.
 */
const homeOf = async (databases: Databases, fact: BillingFact): Promise<Home | null> =>
  (await lookForHome(databases, fact)) ?? (await lookForHome(databases, fact));

/** Applies an event as `applyEvent`, in the database that it concerns. */
export async function takeEvent(
  databases: Databases,
  event: BillingEvent,
  nowMs: number,
): Promise<{ readonly outcome: EventOutcome; readonly home: Home }> {
  const { directory, shards } = databases;
  const found = shards.size === 0 ? DIRECTORY : await homeOf(databases, event.fact);
  const home = found ?? DIRECTORY;
  const db = databaseOf(databases, home) ?? directory;
  const outcome = await applyEvent(db, event, nowMs);
  if (home !== DIRECTORY) await passOnWaiting(directory, db, event.fact, nowMs);
  // What it waits for may have come between the look and its row, and passed on all but this one.
  else if (outcome === "waiting" && shards.size > 0) await passOnLate(databases, event.fact, nowMs);
  return { outcome, home };
}

async function passOnLate(databases: Databases, fact: BillingFact, nowMs: number): Promise<void> {
  const home = await lookForHome(databases, fact);
  const shard = home === null || home === DIRECTORY ? null : databaseOf(databases, home);
  if (shard !== null) await passOnWaiting(databases.directory, shard, fact, nowMs);
}

/** Applies on a shard what has waited in `DB`, and what that makes known in turn. */
async function passOnWaiting(
  directory: D1Database,
  shard: D1Database,
  first: BillingFact,
  nowMs: number,
): Promise<void> {
  const facts = [first];
  for (let fact = facts.pop(); fact !== undefined; fact = facts.pop()) {
    const objectIds = JSON.stringify(objectIdsOf(fact));
    const waiting = await waitingByObject.all(latest(directory), { objectIds });
    for (const event of waiting.map(toBillingEvent)) {
      await applyEvent(shard, event, nowMs);
      // Only then: what is passed on twice is applied once.
      await passOnEvent.run(directory, { eventId: event.eventId });
      facts.push(event.fact);
    }
  }
}
