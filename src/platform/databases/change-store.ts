import { and, asc, eq, lte, sql } from "drizzle-orm";
import { workspaceChanges, workspaces } from "../db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "../db/statement.ts";

/** SQL of the change log: triggers record each row written while its workspace is copied (migrations/0030 and 0031). */

/** A workspace's oldest changes. The database numbers them in commit order. */
export const oldestChanges = statement((given: Given<{ workspaceId: string; limit: number }>) =>
  query
    .from(workspaceChanges, "sequence", "tableName", "rootKey")
    .where(eq(workspaceChanges.workspaceId, given.workspaceId))
    .orderBy(asc(workspaceChanges.sequence))
    .limit(given.limit),
);

export type Change = RowOf<typeof oldestChanges>;

/** Deletes changes up to a number. Changes committed after the read have larger numbers. */
export const deleteChanges = statement((given: Given<{ workspaceId: string; upTo: number }>) =>
  query
    .delete(workspaceChanges)
    .where(
      and(eq(workspaceChanges.workspaceId, given.workspaceId), lte(workspaceChanges.sequence, given.upTo)),
    ),
);

/**
 * Deletes all changes of a workspace that is not moving. Does nothing for a moving one, so that a late run is harmless.
 */
export const deleteAllChanges = statement((given: Given<{ workspaceId: string }>) =>
  query.delete(workspaceChanges).where(
    and(
      eq(workspaceChanges.workspaceId, given.workspaceId),
      sql`not exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId}
        and ${workspaces.movingTo} is not null)`,
    ),
  ),
);
