import { DELIVERY_ATTEMPTS_MAX, DELIVERY_LIMITS } from "../contract/deliveries.ts";

/** Who carries a delivery out: one coming of one message of the queue. */
export interface Claimant {
  /** The message, the same each time it comes. */
  readonly messageId: string;
  /** This coming alone. */
  readonly leaseId: string;
}

/** A lease that tells which message holds it, and differs each time the message comes. */
export const leaseOf = (messageId: string, comingId: string): string => `${messageId}/${comingId}`;

/** Clocks of two machines differ; a message that comes early by this much is not early. */
const EARLY_MS_MAX = 2_000;

/**
 * May this claimant take the open delivery? When its turn has come, when the lease on it has ended (both stand in
 * `next_attempt_at`), or when an earlier coming of the same message holds it, which is then dead.
 */
const FREE = `delivery_id = ?1 AND finished_at IS NULL
  AND (next_attempt_at <= ?2 OR status = 'running' AND substr(lease_id, 1, length(?3) + 1) = ?3 || '/')`;

/** Attempts at work in the delivery's workspace besides its own; a lease that has ended holds no place. */
const OTHERS_AT_WORK = `SELECT COUNT(*) FROM deliveries other WHERE other.workspace_id = deliveries.workspace_id
  AND other.status = 'running' AND other.next_attempt_at > ?2 AND other.delivery_id <> ?1`;

/**
 * The number of the attempt that now begins; null when there is nothing to take, or no place: a workspace, and each of
 * its destinations, has only so many attempts at work at once. One statement decides.
 */
export async function claimDelivery(
  db: D1Database,
  deliveryId: string,
  { messageId, leaseId }: Claimant,
  nowMs: number,
): Promise<number | null> {
  const row = await db
    .prepare(
      `UPDATE deliveries SET status = 'running', attempts = attempts + 1, lease_id = ?4, next_attempt_at = ?5
       WHERE ${FREE} AND attempts < ?6 AND (${OTHERS_AT_WORK}) < ?7
         AND (${OTHERS_AT_WORK} AND other.destination_id = deliveries.destination_id) < ?8
       RETURNING attempts`,
    )
    .bind(
      deliveryId,
      nowMs + EARLY_MS_MAX,
      messageId,
      leaseId,
      nowMs + DELIVERY_LIMITS.leaseMs,
      DELIVERY_ATTEMPTS_MAX,
      DELIVERY_LIMITS.attemptsAtOncePerWorkspaceMax,
      DELIVERY_LIMITS.attemptsAtOncePerDestinationMax,
    )
    .first<{ attempts: number }>();
  return row === null ? null : row.attempts;
}

const SERVICE_FAULT_MESSAGE = "The service failed to carry the delivery out.";

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
  await db.batch([
    db
      .prepare(
        `UPDATE deliveries SET status = 'dead', finished_at = ?4, next_attempt_at = NULL, lease_id = NULL,
           failure_code = 'SERVICE_FAULT', failure_message = ?5
         WHERE ${FREE} AND attempts >= ?6`,
      )
      .bind(deliveryId, nowMs + EARLY_MS_MAX, messageId, nowMs, SERVICE_FAULT_MESSAGE, DELIVERY_ATTEMPTS_MAX),
    db
      .prepare(`UPDATE deliveries SET dispatched_at = NULL WHERE ${FREE}`)
      .bind(deliveryId, nowMs + EARLY_MS_MAX, messageId),
  ]);
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
  const unheld =
    "delivery_id = ?1 AND finished_at IS NULL AND (status <> 'running' OR next_attempt_at <= ?2)";
  const [ended, waiting] = await db.batch([
    db
      .prepare(
        `UPDATE deliveries SET status = 'dead', finished_at = ?2, next_attempt_at = NULL, lease_id = NULL,
           failure_code = COALESCE(failure_code, 'SERVICE_FAULT'), failure_message = COALESCE(failure_message, ?3)
         WHERE ${unheld} AND attempts >= ?4`,
      )
      .bind(deliveryId, nowMs, SERVICE_FAULT_MESSAGE, DELIVERY_ATTEMPTS_MAX),
    db.prepare(`UPDATE deliveries SET dispatched_at = NULL WHERE ${unheld}`).bind(deliveryId, nowMs),
  ]);
  if ((ended?.meta.changes ?? 0) > 0) return "ended";
  return (waiting?.meta.changes ?? 0) > 0 ? "waiting" : "settled";
}
