import { DELIVERY_LIMITS } from "../contract/deliveries.ts";

/** A message that is not taken up this long after its turn may be lost. */
const OVERDUE_MS = 60_000;
/** A message that was sent is waited for this long before it is sent again. */
const SENT_AGAIN_AFTER_MS = 10 * 60_000;

/** Attempts at work in a workspace; a lease that has ended holds no place. */
const AT_WORK = `SELECT COUNT(*) FROM deliveries held WHERE held.workspace_id = waiting.workspace_id
  AND held.status = 'running' AND held.next_attempt_at > ?1`;

/**
 * Open deliveries whose turn has come, that have no message and for whose attempt there is a place: at most so many a
 * destination and a workspace, those at work counted. Workspaces take turns, and in each its destinations do, those
 * with the fewest attempts at work first, so that nobody waits for another's slow receiver. Within a destination the
 * longest waiting come first. Costs a few rows for each destination with something open, however much that is.
 */
export async function findUnsentDeliveries(
  db: D1Database,
  nowMs: number,
  limit: number,
): Promise<readonly string[]> {
  const { results } = await db
    .prepare(
      `WITH RECURSIVE open (destination_id) AS (
         SELECT MIN(destination_id) FROM deliveries WHERE next_attempt_at IS NOT NULL
         UNION ALL
         SELECT (SELECT MIN(destination_id) FROM deliveries
           WHERE next_attempt_at IS NOT NULL AND destination_id > open.destination_id)
         FROM open WHERE open.destination_id IS NOT NULL
       ), first AS (
         SELECT v.delivery_id, v.workspace_id, v.destination_id, v.next_attempt_at,
           ROW_NUMBER() OVER (PARTITION BY v.destination_id ORDER BY v.next_attempt_at) AS place
         FROM open JOIN deliveries v ON v.delivery_number IN (
           SELECT delivery_number FROM deliveries WHERE destination_id = open.destination_id
             AND next_attempt_at IS NOT NULL AND next_attempt_at <= ?1 AND dispatched_at IS NULL
           ORDER BY next_attempt_at LIMIT ?2)
       ), placed AS (
         SELECT waiting.*,
           place + (${AT_WORK} AND held.destination_id = waiting.destination_id) AS destination_place
         FROM first waiting
       ), ranked AS (
         SELECT delivery_id, next_attempt_at,
           ROW_NUMBER() OVER (PARTITION BY workspace_id ORDER BY destination_place, next_attempt_at)
             + (${AT_WORK}) AS workspace_place
         FROM placed waiting WHERE destination_place <= ?2
       )
       SELECT delivery_id AS deliveryId FROM ranked WHERE workspace_place <= ?3
       ORDER BY workspace_place, next_attempt_at LIMIT ?4`,
    )
    .bind(
      nowMs,
      DELIVERY_LIMITS.attemptsAtOncePerDestinationMax,
      DELIVERY_LIMITS.attemptsAtOncePerWorkspaceMax,
      limit,
    )
    .all<{ deliveryId: string }>();
  return results.map(({ deliveryId }) => deliveryId);
}

/**
 * Lets at most `limit` deliveries have another message whose own was sent long ago and did not take them up. Gives
 * their number. One message too many is harmless, so this errs towards it.
 */
export async function forgetLostMessages(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `UPDATE deliveries SET dispatched_at = NULL WHERE delivery_number IN (
         SELECT delivery_number FROM deliveries
         WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ?1 AND dispatched_at <= ?2 LIMIT ?3)`,
    )
    .bind(nowMs - OVERDUE_MS, nowMs - SENT_AGAIN_AFTER_MS, limit)
    .run();
  return meta.changes;
}

/** Notes that messages for the deliveries were sent. */
export async function markDeliveriesDispatched(
  db: D1Database,
  deliveryIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE deliveries SET dispatched_at = ?1 WHERE delivery_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(nowMs, JSON.stringify(deliveryIds))
    .run();
}

/** Removes what has ended long ago; gives the number of deliveries removed. */
export async function forgetEndedDeliveries(
  db: D1Database,
  endedBeforeMs: number,
  limit: number,
): Promise<number> {
  const old = `SELECT delivery_id FROM deliveries WHERE finished_at IS NOT NULL AND finished_at <= ?1
    ORDER BY finished_at LIMIT ?2`;
  const [, removed] = await db.batch([
    db.prepare(`DELETE FROM delivery_files WHERE delivery_id IN (${old})`).bind(endedBeforeMs, limit),
    db
      .prepare(`DELETE FROM deliveries WHERE delivery_id IN (${old}) RETURNING delivery_number`)
      .bind(endedBeforeMs, limit),
  ]);
  return removed?.results.length ?? 0;
}
