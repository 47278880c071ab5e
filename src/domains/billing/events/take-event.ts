import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { insertObjects } from "#platform/databases/directory-store.ts";
import { findObject, type Located } from "#platform/databases/find-object.ts";
import { DIRECTORY, type Home } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import type { BillingEvent, BillingFact } from "../billing-event.ts";
import type { EventOutcome } from "../store.ts";
import { applyEvent, applyWaiting } from "./apply-event.ts";
import { toBillingEvent } from "./decide-payment.ts";
import { assertAtHome, knowsPayment, passOnEvent, waitingByObject } from "./event-database-store.ts";

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

/**
 * Where the workspace lives whose order or payment an event is of: the directory names it, and the database where it lives
 * has the payment. Throws the error of `isMovingError` while a move has not reached the directory.
 */
async function findWorkspace(
  databases: Databases,
  { fact, workspaceId }: BillingEvent,
): Promise<Located | null> {
  const names = namesOf(fact);
  const given = { objectIds: objectIdsOf(fact), ...(workspaceId === undefined ? {} : { workspaceId }) };
  const ask = (db: D1Database) => knowsPayment.first(latest(db), names);
  const found = await findObject(databases, given, ask);
  const home = found?.home ?? DIRECTORY;
  const db = databaseOf(databases, home) ?? databases.directory;
  const known = await ask(db);
  if (known !== null) return { home, workspaceId: known.workspaceId };
  if (found !== null) await assertAtHome.run(db, found);
  return null;
}

/** Whether an event that waits would be taken to this database now. */
const isKnownAt = async (db: D1Database, fact: BillingFact): Promise<boolean> =>
  (await knowsPayment.first(latest(db), namesOf(fact))) !== null;

/** Notes in the directory whose the payment of an event is: later events name nothing else. */
async function noteObjects({ directory }: Databases, { home, workspaceId }: Located, { fact }: BillingEvent) {
  if (home === DIRECTORY) return;
  await insertObjects.run(directory, { workspaceId, objectIds: JSON.stringify(objectIdsOf(fact)) });
}

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
  const found = await findWorkspace(databases, event);
  const { home, workspaceId } = found ?? { home: DIRECTORY, workspaceId: null };
  const db = databaseOf(databases, home) ?? directory;
  if (found !== null) await noteObjects(databases, found, event);
  const outcome = await applyEvent(db, event, nowMs, workspaceId);
  if (found !== null) await passOnWaiting(databases, found, event, nowMs);
  // What it waits for may have come between the look and its row, and passed on all but this one.
  else if (outcome === "waiting") await passOnLate(databases, event, nowMs);
  return { outcome, home };
}

async function passOnLate(databases: Databases, event: BillingEvent, nowMs: number): Promise<void> {
  const found = await findWorkspace(databases, event);
  if (found !== null) await passOnWaiting(databases, found, event, nowMs);
}

/**
 * Applies where the workspace lives what has waited in `DB`, and what that makes known in turn. It may live in `DB` by now: its
 * payment was told of on a shard, which it left before what waits was passed on.
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
      else if (await isKnownAt(db, waiting.fact)) {
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
