import type { LeaseHolder } from "../db/lease.ts";
import { claim, endDeadLetter, endExhausted, releaseDeadLetter, releaseMessage } from "./attempt-store.ts";

/**
 * The number of the attempt that now begins; null when there is nothing to take, or no place: a workspace, and each of
 * its destinations, has only so many attempts at work at once. One statement decides.
 */
export async function claimDelivery(
  db: D1Database,
  deliveryId: string,
  holder: LeaseHolder,
  nowMs: number,
): Promise<number | null> {
  return (await claim.first(db, { deliveryId, ...holder, nowMs }))?.attempts ?? null;
}

/**
 * What becomes of a delivery that could not be claimed, when nobody else holds it. One that has had all its attempts
 * and died in the last of them without a word ends, so that nothing that kills an isolate is tried for ever. One for
 * which there was no place gives its message back and waits for another.
 */
export async function settleUnclaimed(
  db: D1Database,
  deliveryId: string,
  { messageId }: LeaseHolder,
  nowMs: number,
): Promise<void> {
  const attempt = { deliveryId, messageId, nowMs };
  await db.batch([endExhausted.bind(db, attempt), releaseMessage.bind(db, attempt)]);
}

/**
 * Settles the open delivery of a dead letter, unless an attempt of another message is under way: that one settles it,
 * or its lease ends and the sweep sends it again. `exhausted`: it had all its attempts and has ended. `pending`: it waits
 * for another message, because the queue gave up while the service was away. `done`: there is nothing to settle.
 */
export async function settleDeadDelivery(
  db: D1Database,
  deliveryId: string,
  nowMs: number,
): Promise<"exhausted" | "pending" | "done"> {
  const [ended, waiting] = await db.batch([
    endDeadLetter.bind(db, { deliveryId, nowMs }),
    releaseDeadLetter.bind(db, { deliveryId, nowMs }),
  ]);
  if ((ended?.meta.changes ?? 0) > 0) return "exhausted";
  return (waiting?.meta.changes ?? 0) > 0 ? "pending" : "done";
}
