/**
 * Forgets at most `limit` removed destinations that no delivery names any more; gives their number. Their secrets went
 * when they were removed; the row stayed for the deliveries to name, which are kept for a while.
 */
export async function forgetRemovedDestinations(db: D1Database, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM destinations WHERE destination_id IN (
         SELECT destination_id FROM destinations WHERE deleted_at IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM deliveries WHERE deliveries.destination_id = destinations.destination_id)
         ORDER BY deleted_at DESC LIMIT ?1)`,
    )
    .bind(limit)
    .run();
  return meta.changes;
}
