import { lte, sql } from "drizzle-orm";
import { query } from "../db/query.ts";
import { previews } from "../db/schema/index.ts";
import { type Given, statement } from "../db/statement.ts";

/** SQL of the kept previews: where each lies in storage, and until when. */

/** Keeps a preview's object, or keeps it longer. */
export const upsertPreview = statement(
  (given: Given<{ objectKey: string; workspaceId: string; expiresAt: number }>) =>
    query
      .insert(previews)
      .values({ objectKey: given.objectKey, workspaceId: given.workspaceId, expiresAt: given.expiresAt })
      .onConflictDoUpdate({ target: previews.objectKey, set: { expiresAt: sql`excluded.expires_at` } }),
);

const expired = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .select({ objectKey: previews.objectKey })
    .from(previews)
    .where(lte(previews.expiresAt, given.nowMs))
    .orderBy(previews.expiresAt)
    .limit(given.limit),
);

const deleteExpired = statement((given: Given<{ nowMs: number; objectKeys: string }>) =>
  query.delete(previews).where(
    sql`${previews.expiresAt} <= ${given.nowMs}
        and ${previews.objectKey} in (select value from json_each(${given.objectKeys}))`,
  ),
);

/**
 * Deletes at most `limit` kept previews whose time has passed; gives how many. Objects go first: stopped in between,
 * the rows are found again. A preview drawn anew in that moment is at worst drawn once more.
 */
export async function deleteExpiredPreviews(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  const objectKeys = (await expired.all(db, { nowMs, limit })).map(({ objectKey }) => objectKey);
  if (objectKeys.length === 0) return 0;
  await bucket.delete(objectKeys);
  await deleteExpired.run(db, { nowMs, objectKeys: JSON.stringify(objectKeys) });
  return objectKeys.length;
}
