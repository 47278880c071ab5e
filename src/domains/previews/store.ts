import { and, lte, sql } from "drizzle-orm";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { previews } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";

/** SQL of the cached previews: the object of each in storage, and when it expires. */

/** Notes a preview's object and its expiry, or a later expiry. */
export const upsertPreview = statement(
  (given: Given<{ objectKey: string; workspaceId: string; expiresAt: number }>) =>
    query
      .insert(previews)
      .values({ objectKey: given.objectKey, workspaceId: given.workspaceId, expiresAt: given.expiresAt })
      .onConflictDoUpdate({ target: previews.objectKey, set: { expiresAt: sql`excluded.expires_at` } }),
);

/** Previews that have expired, the oldest first. */
export const expiredPreviews = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .read(previews, { objectKey: previews.objectKey })
    .where(and(lte(previews.expiresAt, given.nowMs), isNotMoving(previews.workspaceId)))
    .orderBy(previews.expiresAt)
    .limit(given.limit),
);

/** Deletes those of these object keys (a JSON array) that have not been stored anew since. */
export const deletePreviews = statement((given: Given<{ nowMs: number; objectKeys: string }>) =>
  query.delete(previews).where(
    sql`${previews.expiresAt} <= ${given.nowMs}
        and ${previews.objectKey} in (select value from json_each(${given.objectKeys}))`,
  ),
);
