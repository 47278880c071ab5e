import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { type AttemptFailure, secondsToNextAttempt } from "./delivery.ts";
import { disableStatement } from "./destination-store.ts";

/** An attempt under way: its delivery and the lease under which alone it may write. */
export interface Attempt {
  readonly db: D1Database;
  readonly deliveryId: string;
  readonly leaseId: string;
}

const HELD = "delivery_id = ?1 AND lease_id = ?2 AND status = 'running'";

/** Ends a delivery that arrived. Nothing when the lease is lost: whoever has it delivers the same once more. */
export async function settleDelivered(
  { db, deliveryId, leaseId }: Attempt,
  receiverStatus: number,
  nowMs: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE deliveries SET status = 'succeeded', finished_at = ?3, next_attempt_at = NULL, lease_id = NULL,
         failure_code = NULL, failure_message = NULL, receiver_status = ?4 WHERE ${HELD}`,
    )
    .bind(deliveryId, leaseId, nowMs, receiverStatus)
    .run();
}

/** Lets an attempt that did its share be followed by another at once. It put objects, so it counts as none. */
export async function settlePaused({ db, deliveryId, leaseId }: Attempt, nowMs: number): Promise<void> {
  await db
    .prepare(
      `UPDATE deliveries SET status = 'retrying', attempts = attempts - 1, next_attempt_at = ?3, lease_id = NULL
       WHERE ${HELD}`,
    )
    .bind(deliveryId, leaseId, nowMs)
    .run();
}

/**
 * Notes how an attempt failed: when the next one is due, or that there is none and the delivery is dead. A receiver
 * that is gone is disabled in the same batch. Gives the seconds to the next attempt, or null.
 */
export async function settleFailed(
  { db, deliveryId, leaseId }: Attempt,
  destinationId: string,
  failure: AttemptFailure,
  attempts: number,
  nowMs: number,
): Promise<number | null> {
  const seconds = secondsToNextAttempt(failure, attempts);
  const statements = [
    db
      .prepare(
        `UPDATE deliveries SET status = ?3, finished_at = ?4, next_attempt_at = ?5, lease_id = NULL,
           failure_code = ?6, failure_message = ?7, receiver_status = ?8 WHERE ${HELD}`,
      )
      .bind(
        deliveryId,
        leaseId,
        seconds === null ? "dead" : "retrying",
        seconds === null ? nowMs : null,
        seconds === null ? null : nowMs + seconds * 1_000,
        failure.code,
        failure.message,
        failure.receiverStatus,
      ),
  ];
  if (failure.code === "RECEIVER_GONE")
    statements.push(disableStatement(db, destinationId, failure.code, nowMs));
  await db.batch(statements);
  return seconds;
}

/**
 * Notes that an object lies in the store, whole, and renews the lease. False when the lease was lost: someone else
 * goes on.
 */
export async function completeFile(
  { db, deliveryId, leaseId }: Attempt,
  position: number,
  nowMs: number,
): Promise<boolean> {
  const [renewed] = await db.batch([
    db
      .prepare(`UPDATE deliveries SET next_attempt_at = ?3 WHERE ${HELD}`)
      .bind(deliveryId, leaseId, nowMs + DELIVERY_LIMITS.leaseMs),
    db
      .prepare(
        `UPDATE delivery_files SET delivered_at = ?4, upload_id = NULL WHERE delivery_id = ?1 AND position = ?3
           AND EXISTS (SELECT 1 FROM deliveries WHERE ${HELD})`,
      )
      .bind(deliveryId, leaseId, position, nowMs),
  ]);
  return (renewed?.meta.changes ?? 0) > 0;
}

/** Notes the upload in parts that begins, or none. */
export async function noteUpload(
  { db, deliveryId, leaseId }: Attempt,
  position: number,
  uploadId: string | null,
): Promise<void> {
  await db
    .prepare(
      `UPDATE delivery_files SET upload_id = ?4 WHERE delivery_id = ?1 AND position = ?3
         AND EXISTS (SELECT 1 FROM deliveries WHERE ${HELD})`,
    )
    .bind(deliveryId, leaseId, position, uploadId)
    .run();
}

/**
 * Ends what is open to a destination that is removed, in the batch that removes it. An attempt under way loses its
 * lease by it, and puts nothing more.
 */
export const endOpenStatement = (
  db: D1Database,
  workspaceId: string,
  destinationId: string,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE deliveries SET status = 'dead', finished_at = ?3, next_attempt_at = NULL, lease_id = NULL,
         failure_code = 'DESTINATION_UNAVAILABLE', failure_message = 'The destination was removed.',
         receiver_status = NULL
       WHERE workspace_id = ?1 AND destination_id = ?2 AND status IN ('queued', 'running', 'retrying')`,
    )
    .bind(workspaceId, destinationId, nowMs);
