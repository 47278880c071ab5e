/** A message that is not taken up this long after its turn may be lost. */
const OVERDUE_MS = 60_000;
/** A message that was sent is waited for this long before it is sent again. */
const SENT_AGAIN_AFTER_MS = 10 * 60_000;

/**
 * Open deliveries whose turn has come and that no message may be on its way for, longest waiting first: never sent,
 * or overdue since. Sending one message too many is harmless, so this errs towards it.
 */
export async function findUnsentDeliveries(
  db: D1Database,
  nowMs: number,
  limit: number,
): Promise<readonly string[]> {
  const { results } = await db
    .prepare(
      `SELECT delivery_id AS deliveryId FROM deliveries
       WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ?1
         AND (dispatched_at IS NULL OR next_attempt_at <= ?2 AND dispatched_at <= ?3)
       ORDER BY next_attempt_at LIMIT ?4`,
    )
    .bind(nowMs, nowMs - OVERDUE_MS, nowMs - SENT_AGAIN_AFTER_MS, limit)
    .all<{ deliveryId: string }>();
  return results.map(({ deliveryId }) => deliveryId);
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
