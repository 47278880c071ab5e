import { and, lte, sql } from "drizzle-orm";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { previews } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";

/** SQL of cached previews: the stored object and expiry of each. */

/** Inserts a preview's row, or extends its expiry. */
export const upsertPreview = statement(
  (given: Given<{ objectKey: string; workspaceId: string; expiresAt: number }>) =>
    query
      .insert(previews)
      .values({ objectKey: given.objectKey, workspaceId: given.workspaceId, expiresAt: given.expiresAt })
      .onConflictDoUpdate({ target: previews.objectKey, set: { expiresAt: sql`excluded.expires_at` } }),
);

/** Expired previews, oldest first. */
export const expiredPreviews = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .read(previews, { objectKey: previews.objectKey })
    .where(and(lte(previews.expiresAt, given.nowMs), isNotMoving(previews.workspaceId)))
    .orderBy(previews.expiresAt)
    .limit(given.limit),
);

/** Deletes rows by their object keys, except previews that were stored again since. `objectKeys` is a JSON array. */
export const deletePreviews = statement((given: Given<{ nowMs: number; objectKeys: string }>) =>
  query.delete(previews).where(
    sql`${previews.expiresAt} <= ${given.nowMs}
        and ${previews.objectKey} in (select value from json_each(${given.objectKeys}))`,
  ),
);
