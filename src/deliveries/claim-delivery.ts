import { claim, endDeadLetter, endExhausted, releaseDeadLetter, releaseMessage } from "./attempt-store.ts";

/** Who carries a delivery out: one coming of one message of the queue. */
export interface Claimant {
  /** The message, the same each time it comes. */
  readonly messageId: string;
  /** This coming alone. */
  readonly leaseId: string;
}

/** A lease that tells which message holds it, and differs each time the message comes. */
export const leaseOf = (messageId: string, comingId: string): string => `${messageId}/${comingId}`;

/**
 * The number of the attempt that now begins; null when there is nothing to take, or no place: a workspace, and each of
 * its destinations, has only so many attempts at work at once. One statement decides.
 */
export async function claimDelivery(
  db: D1Database,
  deliveryId: string,
  claimant: Claimant,
  nowMs: number,
): Promise<number | null> {
  return (await claim.first(db, { deliveryId, ...claimant, nowMs }))?.attempts ?? null;
}

/**
 * What becomes of a delivery that could not be claimed, when nobody else holds it. One that has had all its attempts
 * and died in the last of them without a word ends, so that nothing that kills an isolate is tried for ever. One for
 * which there was no place gives its message back and waits for another.
 */
export async function settleUnclaimed(
  db: D1Database,
  deliveryId: string,
  { messageId }: Claimant,
  nowMs: number,
): Promise<void> {
  const attempt = { deliveryId, messageId, nowMs };
  await db.batch([endExhausted.bind(db, attempt), releaseMessage.bind(db, attempt)]);
}

/**
 * What becomes of an open delivery whose message the queue gave up, unless another message's attempt is at work: that
 * one settles it, or its lease ends and the sweep sends it again. Ended where it has had all its attempts; else it
 * waits for another message: the queue gives up where the service was away, and that costs nobody a delivery.
 * Gives whether it ended, waits, or was none of this message's business.
 */
export async function settleGivenUp(
  db: D1Database,
  deliveryId: string,
  nowMs: number,
): Promise<"ended" | "waiting" | "settled"> {
  const [ended, waiting] = await db.batch([
    endDeadLetter.bind(db, { deliveryId, nowMs }),
    releaseDeadLetter.bind(db, { deliveryId, nowMs }),
  ]);
  if ((ended?.meta.changes ?? 0) > 0) return "ended";
  return (waiting?.meta.changes ?? 0) > 0 ? "waiting" : "settled";
}
