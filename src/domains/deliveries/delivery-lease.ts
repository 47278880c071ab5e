import type { LeaseHolder } from "#platform/db/lease.ts";
import {
  endDeadLetter,
  endExhausted,
  markFileDelivered,
  releaseDeadLetter,
  releaseMessage,
  renewLease,
  settleFailed,
} from "./attempt-store.ts";
import type { AttemptFailure } from "./delivery.ts";
import { disableGone } from "./destination-store.ts";
import { secondsToNextAttempt } from "./retry-schedule.ts";

/** An attempt under way. It may write to its delivery while it holds the lease. */
export interface Attempt {
  readonly db: D1Database;
  readonly deliveryId: string;
  readonly leaseId: string;
}

/**
 * Settles a delivery that could not be claimed though it is free. After its last attempt, which crashed, it ends: what
 * crashes an isolate is not retried for ever. Otherwise it waits for another message.
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

/**
 * Settles a failed attempt: another one is due later, or the delivery is dead. A destination whose receiver is gone is
 * disabled in the same batch. Returns the seconds to the next attempt, or null.
 */
export async function settleFailure(
  { db, deliveryId, leaseId }: Attempt,
  destinationId: string,
  failure: AttemptFailure,
  attempts: number,
  nowMs: number,
): Promise<number | null> {
  const seconds = secondsToNextAttempt(failure, attempts);
  const statements = [
    settleFailed.bind(db, {
      deliveryId,
      leaseId,
      status: seconds === null ? "dead" : "retrying",
      finishedAtMs: seconds === null ? nowMs : null,
      nextAttemptAtMs: seconds === null ? null : nowMs + seconds * 1_000,
      failureCode: failure.code,
      failureMessage: failure.message,
      receiverStatus: failure.receiverStatus,
    }),
  ];
  if (failure.code === "RECEIVER_GONE") statements.push(disableGone.bind(db, { destinationId, nowMs }));
  await db.batch(statements);
  return seconds;
}

/** Marks an object as put and verified, and renews the lease. False when the lease was lost: another attempt goes on. */
export async function completeFile(
  { db, deliveryId, leaseId }: Attempt,
  position: number,
  nowMs: number,
): Promise<boolean> {
  const [renewed] = await db.batch([
    renewLease.bind(db, { deliveryId, leaseId, nowMs }),
    markFileDelivered.bind(db, { deliveryId, leaseId, position, nowMs }),
  ]);
  return (renewed?.meta.changes ?? 0) > 0;
}
