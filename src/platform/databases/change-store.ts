import { and, asc, eq, lte, sql } from "drizzle-orm";
import { workspaceChanges, workspaces } from "../db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "../db/statement.ts";

/** SQL of what triggers note of rows that are written while their workspace is copied (migrations/0030 and 0031). */

/** The oldest changes of a workspace. The database gives their numbers in the order in which they were committed. */
export const oldestChanges = statement((given: Given<{ workspaceId: string; limit: number }>) =>
  query
    .from(workspaceChanges, "sequence", "tableName", "rootKey")
    .where(eq(workspaceChanges.workspaceId, given.workspaceId))
    .orderBy(asc(workspaceChanges.sequence))
    .limit(given.limit),
);

export type Change = RowOf<typeof oldestChanges>;

/** Forgets changes up to one: those that were committed after they were read have larger numbers, and stay. */
export const forgetChanges = statement((given: Given<{ workspaceId: string; upTo: number }>) =>
  query
    .delete(workspaceChanges)
    .where(
      and(eq(workspaceChanges.workspaceId, given.workspaceId), lte(workspaceChanges.sequence, given.upTo)),
    ),
);

/** Forgets all changes of a workspace whose move is over. One that moves keeps them, also where a run comes too late. */
export const forgetAllChanges = statement((given: Given<{ workspaceId: string }>) =>
  query.delete(workspaceChanges).where(
    and(
      eq(workspaceChanges.workspaceId, given.workspaceId),
      sql`not exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId}
        and ${workspaces.movingTo} is not null)`,
    ),
  ),
);
